import { provenanceSchema } from '../sessions/cycle';
import { choice, list, record, text, type Described } from '../schema/schema';
import { count, line, ordinal } from '../schema/schema-fields';
import { sessionIdText } from '../sessions/session';

/**
 * - `same`: the same command, or an end for the same reason;
 * - `differs`: another one;
 * - `undetermined`: the record lacks inputs of the decision, or a language model made it.
 */
export const replayResults = ['same', 'differs', 'undetermined'] as const;

const replayedStepSchema = record(
  { program: text('name of the program, or STOP'), detail: text('its command, or why the session ends') },
  {},
  'what was, or would be, done in a cycle',
);
export type ReplayedStep = Described<typeof replayedStepSchema>;

export const replayedCycleSchema = record(
  'ReplayedCycle',
  {
    cycle: ordinal('number of the cycle; for the end of a session the number behind its last cycle'),
    result: choice(replayResults),
    recorded: replayedStepSchema,
  },
  {
    replayed: replayedStepSchema,
    rule: line('of a difference: the first rule that differs, for example `xray detection refine`'),
    reason: text('why it differs, or why it is undetermined, in a sentence'),
    provenance: provenanceSchema,
  },
  'one decision, made again',
);
export type ReplayedCycle = Described<typeof replayedCycleSchema>;

export const replaySchema = record(
  'Replay',
  {
    id: sessionIdText,
    release: line('that replayed the decisions'),
    knowledge: text('SHA-256 of the knowledge that replayed them, hexadecimal'),
    counts: record({ same: count(), differs: count(), undetermined: count() }),
    cycles: list(replayedCycleSchema, 'in their order; the last entry may be the end of the session'),
  },
  {},
  'the decisions of a session, each made again from what was known before it',
);
export type Replay = Described<typeof replaySchema>;
