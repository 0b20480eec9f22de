import { choice, closed, flag, integer, list, mapOf, record, text, type Described } from '../schema/schema';
import { count, oneLine, ordinal, time } from '../schema/schema-fields';

export const launchModes = ['open', 'paused', 'draining'] as const;
/**
 * - `open`: programs are launched;
 * - `paused`: none is launched until an administrator resumes;
 * - `draining`: the same, before a stop of the service (an upgrade).
 * Running programs, decisions and analyses continue in all modes.
 */
export type LaunchMode = (typeof launchModes)[number];

export const launchStateSchema = record(
  'Launch',
  {
    mode: choice(launchModes),
    reason: text('one sentence, shown to whoever waits; empty: none was given'),
    by: text('who said so; empty: nobody was named, or it never changed'),
    since: text('ISO 8601; empty if it never changed'),
  },
  {
    maintenance: record(
      {
        from: time('when the work begins'),
        until: time('when programs are launched again'),
        zone: text('the time zone of the facility'),
      },
      {},
      'the window that holds launches; absent: an administrator holds them, or nobody does',
    ),
  },
  'whether programs are launched',
);
export type LaunchState = Described<typeof launchStateSchema>;

/** The state of the whole service for administrators; printed by `phx admin status`. */
export const adminViewSchema = record(
  'AdminStatus',
  {
    launches: launchStateSchema,
    runs: integer('runs that have a slot: they run, or are queued on the backend'),
    runsByClass: mapOf(integer(), 'by class of nodes'),
    runsByProposal: mapOf(integer(), 'by proposal'),
    waiting: integer('runs that wait: for a slot, for launches to be opened, or queued on the backend'),
  },
  { oldestWaitingSince: time() },
);
export type AdminView = Described<typeof adminViewSchema>;

/** The owner of a run; labels contain it in a cluster. */
const runOwnerSchema = record({ sessionId: text(), cycle: ordinal(), attempt: ordinal(), proposal: text() });

export const knownOrphanSchema = record(
  'Orphan',
  {
    name: text(),
    owner: runOwnerSchema,
    createdAt: time(),
    reason: text('why no session wants it, in one sentence'),
    firstSeenAt: time(),
    sightings: count(
      'looks, some time apart, at which it was an orphan; from `sightingsOfOrphan` on it may be removed',
    ),
    removing: flag('somebody asked for its removal; an executor will remove it'),
  },
  {},
  'a run that a backend holds and no session wants',
);
export type KnownOrphan = Described<typeof knownOrphanSchema>;

export const orphansViewSchema = record('Orphans', { orphans: list(knownOrphanSchema) });
export type OrphansView = Described<typeof orphansViewSchema>;

export const removalViewSchema = record('OrphanRemoval', {
  removing: list(text(), 'names of runs that an executor removes now; `orphans` shows them until they are gone'),
});
export type RemovalView = Described<typeof removalViewSchema>;

/** The request to change launches. */
export const launchRequestSchema = closed(
  record(
    'LaunchRequest',
    { mode: choice(launchModes) },
    { reason: oneLine('why, in one sentence', 500), by: oneLine('who says so', 200) },
  ),
);
export type LaunchRequest = Described<typeof launchRequestSchema>;
