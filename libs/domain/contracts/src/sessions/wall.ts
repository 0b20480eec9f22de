import { sessionCountsSchema } from './answers';
import { fitQuality, fitTrend } from './cycle';
import { choice, list, mark, number, record, text, type Described } from '../schema/schema';
import { count, ordinal, time } from '../schema/schema-fields';
import { sessionIdText, sessionOutcomes, sessionStatuses, stages, type SessionStatus } from './session';

/**
 * A session on a wall, and all data that a wall gets, because its screen is public. No path, person, proposal or free text except the title:
 * the reason why a program waits may name another proposal.
 */
export const wallRowSchema = record(
  'WallRow',
  {
    id: sessionIdText,
    version: count('increases with every change; a newer row replaces an older one'),
    title: text(),
    beamline: text(),
    status: choice(sessionStatuses),
    stage: choice(stages),
    cycle: ordinal('the current cycle, from 1'),
    createdAt: time(),
    updatedAt: time(),
  },
  {
    outcome: choice(sessionOutcomes, 'docs/outcomes.md; absent while it runs'),
    endedAt: time('absent while it runs'),
    program: text('program of the last decided cycle'),
    maxCycles: ordinal('maximum number of cycles; absent in records of older releases'),
    fit: record(
      { metric: text('metric name, for example `r_free`'), value: number() },
      { quality: fitQuality, trend: fitTrend },
      'fit of the result to the data; absent before the first measurement',
    ),
    fits: list(number(), 'values of `fit` in the last cycles that measured it, newest last'),
    waiting: mark('whether its program or its next decision waits; absent: it does not wait'),
    queueStatus: record(
      {
        position: ordinal('from 1'),
        of: count('number of runs that wait for the same limit'),
        since: time('start of the wait'),
      },
      {},
      'queue position; absent unless it waits for a slot',
    ),
  },
  'a session on the wall display',
);
export type WallRow = Described<typeof wallRowSchema>;

export const wallViewSchema = record(
  'Wall',
  { counts: sessionCountsSchema, sessions: list(wallRowSchema, 'running and recently ended sessions') },
  {},
  'content of the wall display',
);
export type WallView = Described<typeof wallViewSchema>;

/** An update of a session for a wall, without its events. */
export interface WallUpdate {
  readonly session: WallRow;
  readonly events: readonly [];
  readonly was?: SessionStatus;
}
