import type { AdviceReading, Guidance, ModelReading } from '@fleet/contracts/guidance';
import { adviceInForce, type GuidedSession } from '@fleet/contracts/sessions';
import { plainLine } from './plain-text';

/** The submitter's current advice. */
export const adviceText = (session: GuidedSession): string => {
  const advice = adviceInForce(session);
  if (advice.trim() === '') return 'none';
  return session.guidance === undefined ? `${advice} (kept by an older release, which did not read it)` : advice;
};

const quoted = ({ words, why }: { readonly words: string; readonly why: string }): string =>
  `“${plainLine(words)}”: ${why}`;

const stepByStep = 'Predictions are processed and placed step by step.';

/** Marks directives that a language model has read; the others were read by the rules. */
const byModel = ({ by }: AdviceReading['understood'][number]): string => (by === 'model' ? ' (read by a model)' : '');

/** The directives in a text, one sentence each. */
const understoodOf = ({ understood, stopsNow, stepByStep: inSteps }: AdviceReading): readonly string[] => [
  ...understood.map((one) => `${one.says}${byModel(one)}`),
  ...(stopsNow ? ['A running session ends after its cycle.'] : []),
  ...(inSteps ? [stepByStep] : []),
];

/** The file of a folder that was read although the submission did not name it. */
const readFrom = ({ from, file = '', text, cut }: Guidance['sources'][number]): readonly string[] => {
  if (from !== 'readme') return [];
  const part = cut === true ? `; only its first ${String(text.length)} characters` : '';
  return [`${plainLine(file)} of the folder was read as advice${part}.`];
};

/** The part of models in a reading; empty for a reading by the rules. */
const modelSentences = (modelReading: ModelReading | undefined): readonly string[] => {
  if (modelReading === undefined) return [];
  const { model, why = '', dropped = [] } = modelReading;
  return [
    model === undefined
      ? `The rules read the advice alone, for no model gave an answer that can be used: ${plainLine(why)}.`
      : `A model, ${plainLine(model)}, read the advice beside the rules.`,
    ...dropped.map((one) => `Not followed: ${quoted(one)}.`),
  ];
};

/** Understood, contradictory, overridden and unfollowed parts of the advice: one sentence each. */
export const guidanceSentences = ({
  sources,
  reading,
  overruled,
  modelReading,
}: Pick<Guidance, 'sources' | 'reading' | 'overruled' | 'modelReading'>): readonly string[] => [
  ...sources.flatMap(readFrom),
  ...understoodOf(reading),
  ...reading.conflicts,
  ...overruled,
  ...reading.notFollowed.map((one) => `Not followed: ${quoted(one)}.`),
  ...reading.removed.map((one) => `Not read: ${quoted(one)}.`),
  ...modelSentences(modelReading),
];

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

/** A reading for people, with the source words of each directive. */
export const readingLines = (reading: AdviceReading): readonly string[] => {
  const { understood, conflicts, notFollowed, removed } = reading;
  const sentences = [
    ...understood.map((one) => `${one.says}${byModel(one)}  (“${plainLine(one.words)}”)`),
    ...understoodOf({ ...reading, understood: [] }),
  ];
  return [
    sentences.length === 0 ? 'Nothing was understood: a session with this advice runs as one without.' : 'Understood',
    ...sentences.map((line) => `  ${line}`),
    ...section('Contradictions', conflicts),
    ...section('Not followed', notFollowed.map(quoted)),
    ...section('Not read', removed.map(quoted)),
  ];
};
