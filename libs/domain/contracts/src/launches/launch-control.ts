import { choice, closed, flag, integer, list, mapOf, record, text, type Described } from '../schema/schema';
import { count, oneLine, ordinal, time } from '../schema/schema-fields';

export const launchModes = ['open', 'paused', 'draining'] as const;
/**
 * - `open`: programs are launched;
 * - `paused`: none is, until somebody resumes;
 * - `draining`: the same, on the way to a stop of the service (an upgrade).
 *
 * Running programs continue in each of them, and so do decisions and analyses.
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

/** What an administrator sees of the whole service; the gateway answers with it, `phx admin status` prints it. */
export const adminViewSchema = record(
  'AdminStatus',
  {
    launches: launchStateSchema,
    runs: integer('runs that have a place: they run, or stand in line on the backend'),
    runsByClass: mapOf(integer(), 'by class of nodes'),
    runsByProposal: mapOf(integer(), 'by proposal'),
    waiting: integer('runs that wait: for a slot, for launches to be opened, or queued on the backend'),
  },
  { oldestWaitingSince: time() },
);
export type AdminView = Described<typeof adminViewSchema>;

/** Whose run it is; labels carry it in a cluster. */
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

/** What an administrator says about launches. */
export const launchRequestSchema = closed(
  record(
    'LaunchRequest',
    { mode: choice(launchModes) },
    { reason: oneLine('why, in one sentence', 500), by: oneLine('who says so', 200) },
  ),
);
export type LaunchRequest = Described<typeof launchRequestSchema>;
