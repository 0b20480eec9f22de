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
    reason: text('reason in one sentence, shown to waiting users; empty: none given'),
    by: text('name of the administrator; empty: not named, or never changed'),
    since: text('ISO 8601; empty: never changed'),
  },
  {
    maintenance: record(
      {
        from: time('start of the window'),
        until: time('end of the window, when programs start again'),
        zone: text('the time zone of the facility'),
      },
      {},
      'maintenance window that stops launches; absent: stopped by an administrator, or not stopped',
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
    runs: integer('runs with a slot: running, or queued on the backend'),
    runsByClass: mapOf(integer(), 'by node class'),
    runsByProposal: mapOf(integer(), 'by proposal'),
    waiting: integer('runs that wait for a slot or for launches to open, or are queued on the backend'),
  },
  { oldestWaitingSince: time() },
);
export type AdminView = Described<typeof adminViewSchema>;

/** The owner of a run; labels contain it in a cluster. */
const runOwnerSchema = record({ sessionId: text(), cycle: ordinal(), attempt: ordinal(), proposal: text() });

const knownOrphanSchema = record(
  'Orphan',
  {
    name: text(),
    owner: runOwnerSchema,
    createdAt: time(),
    reason: text('why it belongs to no session, in one sentence'),
    firstSeenAt: time(),
    sightings: count('number of checks that found it orphaned; from `sightingsOfOrphan` on it may be removed'),
    removing: flag('removal requested; an executor will remove it'),
  },
  {},
  'a run on the backend that belongs to no session',
);
export type KnownOrphan = Described<typeof knownOrphanSchema>;

export const orphansViewSchema = record('Orphans', { orphans: list(knownOrphanSchema) });
export type OrphansView = Described<typeof orphansViewSchema>;

export const removalViewSchema = record('OrphanRemoval', {
  removing: list(text(), 'names of the runs that an executor removes; `orphans` lists them until they are removed'),
});
export type RemovalView = Described<typeof removalViewSchema>;

/** The request to change launches. */
export const launchRequestSchema = closed(
  record(
    'LaunchRequest',
    { mode: choice(launchModes) },
    { reason: oneLine('why, in one sentence', 500), by: oneLine('name of the caller', 200) },
  ),
);
