import type { FilePreferences, SessionDirectives, StopConditions, WorkflowPreferences } from '@fleet/contracts';
import { flag, listOf, objectOf, ref, text, type JsonSchema } from './json-schema';

const program = (description: string): JsonSchema => ({
  type: 'string',
  pattern: '^phenix\\.[a-z0-9_]+$',
  description,
});
const programs = (description: string): JsonSchema => ({ ...listOf({ type: 'string' }), description });
const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 1, description });
const fraction = (description: string): JsonSchema => ({ type: 'number', minimum: 0, maximum: 1, description });
const value: JsonSchema = { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] };

/** Schemas of what a submitter asks for in structured form, by their names in the API's description. */
export const directiveSchemas: Readonly<Record<string, JsonSchema>> = {
  StopConditions: objectOf<StopConditions>(
    {
      after_program: program('the session ends when this program has succeeded, validated or not'),
      start_with_program: program('runs first, then the workflow goes on'),
      after_cycle: count('the session ends after this cycle'),
      max_refine_cycles: count('refinements before validation; goes before the setting'),
      skip_validation: flag('end without validation'),
      r_free_target: fraction('stop at this R-free; goes before the setting'),
      map_cc_target: fraction('stop at this map correlation; goes before the setting'),
    },
    [
      'after_program',
      'start_with_program',
      'after_cycle',
      'max_refine_cycles',
      'skip_validation',
      'r_free_target',
      'map_cc_target',
    ],
  ),
  FilePreferences: objectOf<FilePreferences>(
    {
      model: text('which submitted model is meant: its name or path'),
      sequence: text(),
      data_mtz: text(),
      map_coeffs_mtz: text(),
      exclude: listOf(text(), 'never used'),
    },
    ['model', 'sequence', 'data_mtz', 'map_coeffs_mtz', 'exclude'],
  ),
  WorkflowPreferences: objectOf<WorkflowPreferences>(
    {
      skip_programs: programs('never run'),
      prefer_programs: programs('run first wherever they are offered'),
      use_experimental_phasing: flag(),
      use_molecular_replacement: flag(),
      use_mr_sad: flag(),
      model_is_placed: flag('the submitted model is in its place; nothing has to be searched'),
    },
    [
      'skip_programs',
      'prefer_programs',
      'use_experimental_phasing',
      'use_molecular_replacement',
      'use_mr_sad',
      'model_is_placed',
    ],
  ),
  Directives: objectOf<SessionDirectives>(
    {
      program_settings: {
        type: 'object',
        description:
          'strategy keys by program; `default` is for every program that knows the key. Each value has to be of the type of its parameter (docs/parameters.md)',
        additionalProperties: { type: 'object', additionalProperties: value },
      },
      stop_conditions: ref('StopConditions'),
      file_preferences: ref('FilePreferences'),
      workflow_preferences: ref('WorkflowPreferences'),
      constraints: listOf(text(), 'free text that no rule reads'),
    },
    ['program_settings', 'stop_conditions', 'file_preferences', 'workflow_preferences', 'constraints'],
    'what is asked for in structured form',
  ),
};
