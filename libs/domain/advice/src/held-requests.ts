import type { StrategyValue } from '@fleet/contracts/schema';
import type { ExperimentType } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { adviceWords, matchesIn, type AdviceWords } from './compile-words';
import type { AdviceSources } from './draft';
import { fractionOf } from './numbers';
import { findingsOf } from './sentence-findings';
import { sentencesOf, type Sentence } from './sentences';

/** A condition until a metric is reached: "no waters until R-free < 0.30". */
export interface HeldRequest {
  /** Source words. */
  readonly words: string;
  /** Metric of a refinement, and the value below which the condition ends; a fraction. */
  readonly metric: string;
  readonly below: number;
  readonly settings: readonly { readonly program: string; readonly key: string; readonly value: StrategyValue }[];
  /** Programs that are excluded until then. */
  readonly programs: readonly string[];
}

/** A sentence without its "until" clause. */
const withoutClause = (
  { words }: Sentence,
  { index, 0: clause }: RegExpExecArray,
  known: AdviceWords,
): Sentence | undefined =>
  sentencesOf(`${words.slice(0, index)} ${words.slice(index + clause.length)}`.trim(), known)[0];

/** The condition in a sentence; undefined if no rule can apply it. */
export const heldIn = (sentence: Sentence, sources: AdviceSources): HeldRequest | undefined => {
  const match = matchesIn(sources.words.until, sentence)[0];
  const below = fractionOf(match?.groups?.['value'] ?? '');
  if (match === undefined || !(below > 0 && below < 1)) return undefined;
  const rest = withoutClause(sentence, match, sources.words);
  if (rest === undefined) return undefined;
  const { found, values } = findingsOf(rest, sources);
  const settings = values.values
    .filter(({ value }) => value === false)
    .map(({ program, key, value }) => ({ program, key, value }));
  const programs = found.actions.filter(({ mode }) => mode === 'skip').map(({ program }) => program);
  if (settings.length === 0 && programs.length === 0) return undefined;
  return { words: sentence.words, metric: sources.words.knowledge.until.metric, below, settings, programs };
};

/** Conditions among the constraints of a session; the other constraints have no effect. */
export const heldRequests = (
  constraints: readonly string[],
  { advice, programs }: Pick<RuleBook, 'advice' | 'programs'>,
  experiment: ExperimentType,
): readonly HeldRequest[] => {
  const sources = { words: adviceWords(advice), programs, experiment };
  return constraints
    .flatMap((text) => sentencesOf(text, sources.words))
    .map((sentence) => heldIn(sentence, sources))
    .filter((held) => held !== undefined);
};

/** The effect in one sentence. */
export const saysOfHeld = ({ settings, programs, below }: HeldRequest): string => {
  const held = [
    ...settings.map(({ program, key, value }) => `${key} is ${String(value)} for ${program}`),
    ...programs.map((program) => `${program} is left out`),
  ];
  return `Until R-free is below ${below.toFixed(2)}, ${held.join(', ')}.`;
};
