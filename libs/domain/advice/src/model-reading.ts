import { mergedDirectives, type AdviceReading, type SessionDirectives } from '@fleet/contracts/guidance';
import type { ExperimentType } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { adviceWords } from './compile-words';
import { unsupportedBecause, type Grounds } from './grounds';
import {
  directivesOf,
  directivePath,
  problemWithModelDirective,
  type ModelDirective,
  type DirectivePath,
} from './model-directive';
import type { UnfollowedWords } from './reading';
import { saysOfDirective } from './says-of-directive';
import { findingsOf } from './sentence-findings';
import { sentencesOf } from './sentences';

/** The combined reading of the rules and a model. */
export interface ModelRead {
  readonly reading: AdviceReading;
  /** The model's directives that the text does not support. */
  readonly dropped: readonly UnfollowedWords[];
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const ways = ['use_experimental_phasing', 'use_mr_sad', 'use_molecular_replacement'];

/** The rules' value for the same directive; undefined without one. */
const rulesSay = (place: DirectivePath, { program_settings = {}, ...parts }: SessionDirectives): readonly unknown[] => {
  const { section, key } = place;
  if (place.section === 'program_settings') {
    const programs = place.program === 'default' ? Object.keys(program_settings) : [place.program, 'default'];
    return programs.flatMap((program) => program_settings[program]?.[key] ?? []);
  }
  const part: Readonly<Record<string, unknown>> = parts[place.section] ?? {};
  const same = part[key];
  if (same !== undefined) return Array.isArray(same) ? (same as unknown[]) : [same];
  // Another phasing method.
  return section === 'workflow_preferences' && ways.includes(key) ? ways.flatMap((way) => part[way] ?? []) : [];
};

/** Programs that the rules request. */
const wantedPrograms = ({
  stop_conditions: { after_program, start_with_program } = {},
  workflow_preferences: { prefer_programs = [] } = {},
  program_settings = {},
}: SessionDirectives): readonly unknown[] => [
  after_program,
  start_with_program,
  ...prefer_programs,
  ...Object.keys(program_settings),
];

/** Programs and files of which the rules request the opposite. */
const isTheOpposite = (
  { section, key }: DirectivePath,
  { value }: ModelDirective,
  directives: SessionDirectives,
): boolean => {
  const { exclude = [], ...used } = directives.file_preferences ?? {};
  if (section === 'file_preferences')
    return (key === 'exclude' ? Object.values(used) : exclude).some((one) => one === value);
  if (key === 'skip_programs') return wantedPrograms(directives).includes(value);
  const { skip_programs = [] } = directives.workflow_preferences ?? {};
  return section !== 'program_settings' && skip_programs.some((program) => program === value);
};

const isList = (key: string): boolean => ['exclude', 'skip_programs', 'prefer_programs'].includes(key);

type Judged = 'new' | 'said' | { readonly conflict: string };

/** Checks a model's directive against the existing ones: a different existing value takes precedence. */
const judged = (directive: ModelDirective, place: DirectivePath, directives: SessionDirectives): Judged => {
  const known = rulesSay(place, directives);
  if (known.includes(directive.value)) return 'said';
  if (isTheOpposite(place, directive, directives))
    return {
      conflict: `${directive.field} is not ${shown(directive.value)}, as a model read it: the rules read the opposite.`,
    };
  if (known.length === 0 || isList(place.key)) return 'new';
  return {
    conflict: `${directive.field} is ${known.map(shown).join(', ')}, as the rules read it, and not ${shown(directive.value)}, as a model read it.`,
  };
};

const asRead = ({ field, value, words }: ModelDirective, why: string): UnfollowedWords => ({
  words,
  why: `a model read ${field} = ${shown(value)} in it, and ${why}`,
});

/** Removes words that the model has used from the unfollowed ones. */
const stillUnread = ({ notFollowed }: AdviceReading, kept: readonly ModelDirective[]): AdviceReading['notFollowed'] =>
  notFollowed.filter(
    ({ words }) => !kept.some((directive) => directive.words.includes(words) || words.includes(directive.words)),
  );

/**
 * The rules' reading extended with a model's: directives that the text does not support are dropped, and different values of the rules take
 * precedence, with a report.
 */
export const withModelDirectives = (
  reading: AdviceReading,
  modelDirectives: readonly ModelDirective[],
  { advice, programs, experiment }: Pick<RuleBook, 'advice' | 'programs'> & { readonly experiment: ExperimentType },
): ModelRead => {
  const words = adviceWords(advice);
  const sources = { words, programs, experiment };
  const findings = sentencesOf(reading.text, words).map((sentence) => findingsOf(sentence, sources));
  const grounds: Grounds = { findings, sources };
  const dropped: UnfollowedWords[] = [];
  const conflicts: string[] = [];
  const accepted: ModelDirective[] = [];
  let { directives } = reading;
  for (const directive of modelDirectives) {
    const path = directivePath(directive.field);
    const why = problemWithModelDirective(directive, { programs }) ?? unsupportedBecause(directive, grounds);
    if (path === undefined || why !== undefined) {
      dropped.push(asRead(directive, why ?? 'it is no directive'));
      continue;
    }
    const judgement = judged(directive, path, directives);
    if (typeof judgement === 'object') conflicts.push(judgement.conflict);
    if (judgement !== 'new') continue;
    accepted.push(directive);
    directives = mergedDirectives(directivesOf(path, directive.value), directives).directives;
  }
  const read = accepted.map((directive) => ({ ...directive, says: saysOfDirective(directive), by: 'model' as const }));
  return {
    reading: {
      ...reading,
      directives,
      understood: [...reading.understood, ...read],
      conflicts: [...reading.conflicts, ...conflicts],
      notFollowed: stillUnread(reading, accepted),
    },
    dropped,
  };
};
