import { parseDirectives, type SessionDirectives } from '@fleet/contracts/guidance';
import type { StrategyValue } from '@fleet/contracts/schema';
import { checkSettings, type RuleBook } from '@fleet/knowledge-model';

/** A directive as a language model has read it, with its source words. */
export interface ModelDirective {
  /** Path in the directives. For a list it is one entry. */
  readonly field: string;
  readonly value: StrategyValue;
  /** Copied from the text. */
  readonly words: string;
}

/** The path of a directive. */
export type DirectivePath =
  | { readonly section: 'program_settings'; readonly program: string; readonly key: string }
  | { readonly section: 'stop_conditions' | 'file_preferences' | 'workflow_preferences'; readonly key: string };

const settingPath = /^program_settings\.(default|phenix\.[a-z0-9_]+)\.([a-z][a-z0-9_]*)$/;
const otherPath = /^(stop_conditions|file_preferences|workflow_preferences)\.([a-z_]+)$/;

const lists = ['exclude', 'skip_programs', 'prefer_programs'];

/** Undefined if the path is not a directive that can be read from words. */
export const directivePath = (field: string): DirectivePath | undefined => {
  const [, program, setting] = settingPath.exec(field) ?? [];
  if (program !== undefined && setting !== undefined) return { section: 'program_settings', program, key: setting };
  const [, section, key] = otherPath.exec(field) ?? [];
  return section === undefined || key === undefined
    ? undefined
    : { section: section as 'stop_conditions' | 'file_preferences' | 'workflow_preferences', key };
};

/** One directive as complete directives. */
export const directivesOf = (place: DirectivePath, value: StrategyValue): SessionDirectives => {
  const { section, key } = place;
  if (place.section === 'program_settings') return { program_settings: { [place.program]: { [key]: value } } };
  return { [section]: { [key]: lists.includes(key) ? [value] : value } };
};

/** Why a directive would also be invalid in structured form; undefined if it is valid. */
export const problemWithModelDirective = (
  { field, value }: Pick<ModelDirective, 'field' | 'value'>,
  { programs }: Pick<RuleBook, 'programs'>,
): string | undefined => {
  const path = directivePath(field);
  if (path === undefined) return `"${field.slice(0, 80)}" is no field of the list`;
  const { directives, problems } = parseDirectives(directivesOf(path, value), new Set(Object.keys(programs)));
  const settings = checkSettings(directives.program_settings ?? {}, programs, 'directives.program_settings');
  const [problem] = [...problems, ...settings.problems];
  return problem === undefined
    ? undefined
    : `${problem.field.replace(/^directives\./, '')} ${problem.reason}; allowed: ${problem.allowed ?? 'nothing'}`.slice(
        0,
        300,
      );
};
