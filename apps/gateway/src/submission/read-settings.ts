import { settingDefinitions, type SessionSettings, type SettingDefinition } from '@fleet/contracts';
import { shown, type ProblemList } from './problem-list';

const settingNames: readonly string[] = Object.keys(settingDefinitions);

/** What a setting allows, in words. */
const allowedOf = (definition: SettingDefinition): string => {
  switch (definition.type) {
    case 'integer':
    case 'number': {
      const kind = definition.type === 'integer' ? 'a whole number' : 'a number';
      return `${kind} from ${String(definition.min)} to ${String(definition.max)}`;
    }
    case 'boolean':
      return 'true or false';
    case 'choice':
      return definition.choices.join(', ');
    case 'list':
      return 'a list of names';
  }
};

const longestList = 50;
const listEntry = /^[A-Za-z0-9._-]{1,100}$/;

type Verdict = 'right' | 'type' | 'range';

const judgeNumber = (definition: Extract<SettingDefinition, { min: number }>, value: unknown): Verdict => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'type';
  if (definition.type === 'integer' && !Number.isInteger(value)) return 'type';
  return value >= definition.min && value <= definition.max ? 'right' : 'range';
};

const judgeList = (value: unknown): Verdict => {
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) return 'type';
  return value.length <= longestList && value.every((entry) => listEntry.test(entry)) ? 'right' : 'range';
};

const judge = (definition: SettingDefinition, value: unknown): Verdict => {
  switch (definition.type) {
    case 'integer':
    case 'number':
      return judgeNumber(definition, value);
    case 'boolean':
      return typeof value === 'boolean' ? 'right' : 'type';
    case 'choice':
      if (typeof value !== 'string') return 'type';
      return definition.choices.includes(value) ? 'right' : 'range';
    case 'list':
      return judgeList(value);
  }
};

const isSettingName = (name: string): name is keyof SessionSettings => settingNames.includes(name);

const reportUnknownPrograms = (settings: SessionSettings, known: readonly string[], problems: ProblemList): void => {
  // An empty list means that the knowledge base was not asked, not that nothing is known.
  if (known.length === 0) return;
  for (const program of settings.simulated_programs.filter((name) => !known.includes(name))) {
    const reason = `${shown(program)} is not a program of the agent`;
    problems.addUnknown('setting.range', 'settings.simulated_programs', reason, program, known);
  }
};

const defaults = (): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settingDefinitions).map(([name, definition]) => [name, definition.default]));

/**
 * Fills in the defaults and checks names, types and ranges against `settingDefinitions`.
 * @param knownPrograms names that `simulated_programs` may hold
 */
export const readSettings = (
  given: Readonly<Record<string, unknown>>,
  knownPrograms: readonly string[],
  problems: ProblemList,
): SessionSettings => {
  const settings = defaults();
  for (const [name, value] of Object.entries(given)) {
    if (!isSettingName(name)) {
      problems.addUnknown(
        'setting.unknown',
        `settings.${name}`,
        'there is no setting of this name',
        name,
        settingNames,
      );
      continue;
    }
    const definition = settingDefinitions[name];
    const verdict = judge(definition, value);
    if (verdict === 'right') settings[name] = value;
    else
      problems.add(`setting.${verdict}`, `settings.${name}`, `${shown(value)} is not allowed`, allowedOf(definition));
  }
  // Every member was checked against the table that the type is made for.
  const read = settings as unknown as SessionSettings;
  reportUnknownPrograms(read, knownPrograms, problems);
  return read;
};
