import { provenanceSchema } from '../sessions/cycle';
import { choice, list, record, text, type Described } from '../schema/schema';
import { count, line, ordinal } from '../schema/schema-fields';
import { sessionIdText } from '../sessions/session';

/**
 * - `same`: the same command, or an end for the same reason;
 * - `differs`: another one;
 * - `undetermined`: the record lacks inputs of the decision, or a language model made it.
 */
const replayResults = ['same', 'differs', 'undetermined'] as const;

const replayedStepSchema = record(
  'ReplayedStep',
  { program: text('name of the program, or STOP'), detail: text('command, or why the session ends') },
  {},
  'action of a cycle, recorded or replayed',
);
export type ReplayedStep = Described<typeof replayedStepSchema>;

const replayedCycleSchema = record(
  'ReplayedCycle',
  {
    cycle: ordinal('cycle number; for the end of a session, the number after its last cycle'),
    result: choice(replayResults),
    recorded: replayedStepSchema,
  },
  {
    replayed: replayedStepSchema,
    rule: line('the first rule that differs, for example `xray detection refine`'),
    reason: text('why it differs or is undetermined, in one sentence'),
    provenance: provenanceSchema,
  },
  'a replayed decision',
);
export type ReplayedCycle = Described<typeof replayedCycleSchema>;

export const replaySchema = record(
  'Replay',
  {
    id: sessionIdText,
    release: line('release that replayed the decisions'),
    knowledge: text('SHA-256 of the knowledge used, hexadecimal'),
    counts: record({ same: count(), differs: count(), undetermined: count() }),
    cycles: list(replayedCycleSchema, 'in order; the last entry may be the end of the session'),
  },
  {},
  'a replay of the decisions of a session',
);
export type Replay = Described<typeof replaySchema>;
