import {
  choice,
  flag,
  integer,
  list,
  number,
  record,
  text,
  partial,
  type Described,
  type JsonSchema,
  type Schema,
} from '../schema/schema';

/** The only list of settings: types, validation, the API, CLI help and docs are derived from it. */
const settings = {
  max_cycles: integer('stop after this many cycles', { default: 20, minimum: 1, maximum: 100 }),
  experiment_type: choice(['auto', 'xray', 'cryoem'], 'type of the data', { default: 'auto' }),
  resolution: number('high-resolution limit in Å; 0: taken from the data', { default: 0, minimum: 0, maximum: 20 }),
  analysis_only: flag('only analyse the data; do not solve the structure', { default: false }),
  r_free_target: number('stop at this R-free (fraction); 0: target depends on the resolution', {
    default: 0,
    minimum: 0,
    maximum: 1,
  }),
  map_cc_target: number('stop at this map correlation; 0: default target', { default: 0, minimum: 0, maximum: 1 }),
  max_refine_cycles: integer('refinement runs before validation', { default: 3, minimum: 1, maximum: 20 }),
  program_time_limit: integer("time limit of a program in minutes; 0: the program's own limit", {
    default: 0,
    minimum: 0,
    maximum: 10080,
  }),
  simulated_programs: list(
    text(undefined, { pattern: '^[A-Za-z0-9._-]{1,100}$' }),
    'programs that may be simulated if they are not installed',
    { default: [], maxItems: 50, 'x-allowed': 'a list of names' },
  ),
  maximum_automation: flag('predict, place and build in one run; false: step by step', { default: true }),
  abort_on_red_flags: flag('stop at critical red flags', { default: true }),
  abort_on_warnings: flag('also stop at warnings', { default: false }),
  use_rules_only: flag('use the rules only, even if the site has a language model', { default: false }),
  model_outage: choice(['rules', 'wait'], 'if no language model is reachable: let the rules decide, or wait', {
    default: 'rules',
  }),
} as const;

/** Every setting with its value. */
export const settingsSchema = record(
  'SettingValues',
  settings,
  {},
  'every setting with its value; see GET /v1/settings',
);
export type SessionSettings = Described<typeof settingsSchema>;
/** The settings of a request. */
export const settingsRequestSchema = partial('Settings', settings);

const described = { what: text('meaning of the setting') };
const numberSettingSchema = record(
  'NumberSetting',
  { type: choice(['integer', 'number']), default: number(), min: number(), max: number(), ...described },
  {},
  'a setting that is a number',
);
const flagSettingSchema = record(
  'FlagSetting',
  { type: choice(['boolean']), default: flag(), ...described },
  {},
  'a setting that is true or false',
);
const choiceSettingSchema = record(
  'ChoiceSetting',
  { type: choice(['choice']), default: text(), choices: list(text()), ...described },
  {},
  'a setting with a fixed set of values',
);
const listSettingSchema = record(
  'ListSetting',
  { type: choice(['list']), default: list(text()), ...described },
  {},
  'a setting that is a list of names',
);

/** A setting as the API and the command line describe it. */
export type SettingDefinition =
  | Described<typeof numberSettingSchema>
  | Described<typeof flagSettingSchema>
  | Described<typeof choiceSettingSchema>
  | Described<typeof listSettingSchema>;

const definitionSchemaOf = ({ type, enum: choices }: JsonSchema): Schema<SettingDefinition> => {
  if (choices !== undefined) return choiceSettingSchema;
  if (type === 'array') return listSettingSchema;
  return type === 'boolean' ? flagSettingSchema : numberSettingSchema;
};

/** The API's description of each setting. */
const settingDefinitionsSchema = record(
  Object.fromEntries(Object.entries(settings).map(([name, schema]) => [name, definitionSchemaOf(schema)])) as Readonly<
    Record<keyof SessionSettings, Schema<SettingDefinition>>
  >,
  {},
  'setting name to type, default, range and meaning',
);

const definitionOf = ({ type, enum: choices, default: value, minimum, maximum, description }: JsonSchema): object => {
  const common = { default: value, what: description };
  if (choices !== undefined) return { type: 'choice', choices, ...common };
  if (type === 'array') return { type: 'list', ...common };
  return { type, ...(minimum !== undefined && { min: minimum, max: maximum }), ...common };
};

export const settingDefinitions = Object.fromEntries(
  Object.entries(settings).map(([name, schema]) => [name, definitionOf(schema)]),
) as Readonly<Record<keyof SessionSettings, SettingDefinition>>;

/** The default of each setting. */
export const defaultSettings = Object.fromEntries(
  Object.entries(settingDefinitions).map(([name, definition]) => [name, definition.default]),
) as unknown as SessionSettings;

export const settingsViewSchema = record(
  'SettingDefinitions',
  { settings: settingDefinitionsSchema },
  {},
  'settings of a submission',
);
export type SettingsView = Described<typeof settingsViewSchema>;
