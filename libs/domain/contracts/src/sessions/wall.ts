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
    version: count('grows with every change, so that a newer row replaces an older one'),
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
    program: text('of the cycle that was decided last'),
    maxCycles: ordinal('cycles after which it stops; absent of one that an older release wrote'),
    fit: record(
      { metric: text("the metric's name, for example `r_free`"), value: number() },
      { quality: fitQuality, trend: fitTrend },
      'how well the result fits the data; absent while nothing was measured',
    ),
    fits: list(number(), 'values of `fit` in the last cycles that measured it, the newest last'),
    waiting: mark('its program or its next decision waits; absent: it does not wait'),
    queueStatus: record(
      { position: ordinal('from 1'), of: count('how many wait for the same'), since: time('since when it waits') },
      {},
      'its position in the queue; absent unless it waits for a slot',
    ),
  },
  'a session as a wall shows it',
);
export type WallRow = Described<typeof wallRowSchema>;

export const wallViewSchema = record(
  'Wall',
  { counts: sessionCountsSchema, sessions: list(wallRowSchema, 'those that run, and those that ended last') },
  {},
  'what a wall shows',
);
export type WallView = Described<typeof wallViewSchema>;

/** An update of a session for a wall, without its events. */
export interface WallUpdate {
  readonly session: WallRow;
  readonly events: readonly [];
  readonly was?: SessionStatus;
}
