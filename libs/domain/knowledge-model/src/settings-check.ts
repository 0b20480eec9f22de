import type { FieldProblem } from '@fleet/contracts/faults';
import type { ProgramSettings } from '@fleet/contracts/guidance';
import type { StrategyValue } from '@fleet/contracts/schema';
import { isOwnParameter } from './parameter-type';
import { problemWithRequest, strategyKeyNamed, type ValueProblem } from './parameter-values';
import type { ProgramKnowledge } from './program-knowledge';

const settableKeys = (programs: readonly ProgramKnowledge[]): readonly string[] => {
  const keys = programs.flatMap(({ strategy }) => strategy.filter((one) => !isOwnParameter(one)).map(({ key }) => key));
  return [...new Set(keys)].sort();
};

/**
 * Why a setting is invalid for programs; undefined if it is valid.
 * @param programs at least one must have the key, and the value must be valid for all that have it
 */
export const problemWithSetting = (
  name: string,
  value: StrategyValue,
  programs: readonly ProgramKnowledge[],
): ValueProblem | undefined => {
  const known = programs.flatMap((program) => strategyKeyNamed(program, name) ?? []);
  if (known.length === 0) {
    const whose = programs.length === 1 ? (programs[0]?.name ?? '') : 'any of its programs';
    const keys = settableKeys(programs);
    return {
      reason: `is no parameter of ${whose}`,
      allowed: keys.length === 0 ? 'nothing; the program has no parameters' : keys.join(', '),
    };
  }
  const settable = known.filter((one) => !isOwnParameter(one));
  return (settable.length === 0 ? known : settable)
    .map((one) => problemWithRequest(one, value))
    .find((problem) => problem !== undefined);
};

/** The valid settings, and the problems of the others. */
export interface CheckedSettings {
  readonly settings: ProgramSettings;
  readonly problems: readonly FieldProblem[];
}

/**
 * Validates the settings of a submitter or a client, by program; `default` is for every program that has the key. Unknown programs are
 * reported by the reader and omitted here.
 * @param at path of the settings, prefixed to the fields
 */
export const checkSettings = (
  given: ProgramSettings,
  programs: Readonly<Record<string, ProgramKnowledge>>,
  at: string,
): CheckedSettings => {
  const settings: Record<string, Record<string, StrategyValue>> = {};
  const problems: FieldProblem[] = [];
  const all = Object.values(programs);
  for (const [program, values] of Object.entries(given)) {
    const matching = program === 'default' ? all : all.filter(({ name }) => name === program);
    if (matching.length === 0) continue;
    const wrong = new Set<string>();
    for (const [name, value] of Object.entries(values)) {
      const problem = problemWithSetting(name, value, matching);
      if (problem === undefined) continue;
      wrong.add(name);
      problems.push({ field: `${at}.${program}.${name}`, ...problem });
    }
    settings[program] = Object.fromEntries(Object.entries(values).filter(([name]) => !wrong.has(name)));
  }
  return { settings, problems };
};
