import type { StrategyValue } from '../schema/schema-fields';
import {
  flag,
  integer,
  list,
  mapOf,
  number,
  text,
  partial,
  type Described,
  type JsonSchema,
  type Schema,
} from '../schema/schema';

const plainText = 'text without NUL characters';
// A NUL ends strings in the programs that would read it; no command can contain one.
const someText = (what?: string): Schema<string> =>
  text(what, { pattern: '^(?=\\s*\\S)[^\\u0000]*$', 'x-allowed': plainText });
const program = (what?: string): Schema<string> =>
  text(what, { pattern: '^phenix\\.[a-z0-9_]+$', 'x-allowed': 'a program such as phenix.refine' });
const countFromOne = (what: string): Schema<number> => integer(what, { minimum: 1 });
const fraction = (what: string): Schema<number> => number(what, { exclusiveMinimum: 0, maximum: 1 });

const value: Schema<StrategyValue> = {
  type: ['string', 'number', 'boolean'],
  pattern: '^[^\\u0000]*$',
  'x-allowed': 'a number, text without NUL characters, true or false',
};
const programOrDefault: JsonSchema = {
  type: 'string',
  pattern: '^(default|phenix\\.[a-z0-9_]+)$',
  'x-allowed': 'default or a program such as phenix.refine',
};
const programSettingsSchema = mapOf(
  mapOf(value),
  'parameters by program; `default` applies to every program that has the key. Each value must have the type of its parameter (docs/parameters.md)',
  { propertyNames: programOrDefault },
);
export type ProgramSettings = Described<typeof programSettingsSchema>;

const stopConditionsSchema = partial('StopConditions', {
  after_program: program('end the session when this program has succeeded, even without validation'),
  start_with_program: program('run this program first, then continue with the workflow'),
  after_cycle: countFromOne('end the session after this cycle'),
  max_refine_cycles: countFromOne('refinements before validation; overrides the setting'),
  skip_validation: flag('end without validation'),
  r_free_target: fraction('stop at this R-free; overrides the setting'),
  map_cc_target: fraction('stop at this map correlation; overrides the setting'),
});
export type StopConditions = Described<typeof stopConditionsSchema>;

const filePreferencesSchema = partial(
  'FilePreferences',
  {
    model: someText('name or path of the submitted model to use'),
    sequence: someText(),
    data_mtz: someText(),
    map_coeffs_mtz: someText(),
    exclude: list(someText(), 'never used'),
  },
  'base names or paths of submitted files',
);
export type FilePreferences = Described<typeof filePreferencesSchema>;

const workflowPreferencesSchema = partial('WorkflowPreferences', {
  skip_programs: list(program(), 'never run'),
  prefer_programs: list(program(), 'run first whenever they are candidates'),
  use_experimental_phasing: flag(),
  use_molecular_replacement: flag(),
  use_mr_sad: flag(),
  model_is_placed: flag('the submitted model is already placed; skip molecular replacement and docking'),
});

/**
 * Structured requests of a submitter, in the form of the agent's directives (phenix-agent.md#directives). Each part is implemented in one
 * layer only. Unknown members are refused even in records: a directive of a newer release would be ignored silently, so the session is left
 * to that release.
 */
export const directivesSchema = partial(
  'Directives',
  {
    program_settings: programSettingsSchema,
    stop_conditions: stopConditionsSchema,
    file_preferences: filePreferencesSchema,
    workflow_preferences: workflowPreferencesSchema,
    constraints: list(someText(), 'free text; only "no … until R-free < …" has an effect, the rest is displayed'),
  },
  'structured directives',
);
export type SessionDirectives = Described<typeof directivesSchema>;
