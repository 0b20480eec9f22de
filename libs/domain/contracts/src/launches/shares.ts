import { choice, closed, integer, list, mapOf, number, record, text, type Described } from '../schema/schema';
import { time } from '../schema/schema-fields';

/** Launch order: live beamtime, everything else, and work that fills the gaps. */
export const priorities = ['live', 'standard', 'backfill'] as const;
export type Priority = (typeof priorities)[number];

const most = (what: string) => integer(`${what}; 0: no limit`, { default: 0, minimum: 0, maximum: 1_000_000 });
const name = (what: string) => text(what, { minLength: 1, maxLength: 64 });

const proposalShareSchema = record(
  'ProposalShare',
  {},
  {
    weight: number('share of the slots relative to proposals of weight 1', { minimum: 0.01, maximum: 1000 }),
    maxRunning: integer('concurrent programs, overrides maxPerProposal; 0: no limit', {
      minimum: 0,
      maximum: 1_000_000,
    }),
    startsPerDay: integer('programs started per day (UTC), overrides startsPerDayPerProposal; 0: no limit', {
      minimum: 0,
      maximum: 1_000_000,
    }),
  },
  'exceptions for one proposal',
);

const policyMembers = {
  proposals: mapOf(proposalShareSchema, 'exceptions by proposal; all others have weight 1', {
    default: {},
    maxProperties: 10_000,
  }),
  maxPerProposal: most('concurrent programs of one proposal'),
  maxGpuPerProposal: most('concurrent GPU programs of one proposal'),
  maxPerUser: most('concurrent programs of one submitter'),
  maxLive: most('concurrent programs with priority live'),
  maxStandard: most('concurrent programs with priority standard'),
  maxBackfill: most('concurrent programs with priority backfill'),
  startsPerDayPerProposal: most('programs started per proposal and day (UTC)'),
  startsPerDayPerUser: most('programs started per submitter and day (UTC)'),
  backfillWaitsHours: number('hours after submission until a backfill session is treated as standard', {
    default: 12,
    minimum: 0,
    maximum: 8760,
  }),
  liveAllowedFor: list(
    name('a proposal, a beamline, or * for all'),
    'who may submit with priority live; empty: no one',
    {
      default: [],
      maxItems: 1000,
    },
  ),
} as const;

/** How slots are shared; every member with its value. */
export const sharesPolicySchema = record('SharesPolicy', policyMembers, {}, 'slot limits and weights (fair shares)');
export type SharesPolicy = Described<typeof sharesPolicySchema>;

/** A change by an administrator or a settings file: absent members have their defaults. */
export const sharesRequestSchema = closed(record({}, policyMembers, 'slot limits and weights (fair shares)'));
export type SharesRequest = Described<typeof sharesRequestSchema>;

const sharesStateSchema = record(
  { policy: sharesPolicySchema, by: text('who set them; empty: not named'), since: time() },
  {},
  'how an administrator has set the shares',
);
export type SharesState = Described<typeof sharesStateSchema>;

export const queueStatusSchema = record(
  'QueueStatus',
  {
    reason: text('what blocks the start, one sentence without a full stop'),
    position: integer('1-based position among the runs blocked by the same limit'),
    of: integer('number of runs blocked by the same limit'),
    since: time('start of the wait'),
    oldestSince: time('start of the longest wait for the same limit'),
  },
  { estimatedStart: time('estimated seconds at the recent rate; absent if unknown') },
  'queue position of a program that waits for a slot',
);
export type QueueStatus = Described<typeof queueStatusSchema>;

export const expectedWaitSchema = record(
  'ExpectedWait',
  {},
  {
    seconds: integer(
      'estimated seconds until the first program starts, at the recent rate; 0: immediately. Absent if unknown',
    ),
    reason: text('what blocks the start, one sentence without a full stop; absent: nothing'),
  },
  'expected wait for the first slot of a session submitted now',
);
export type ExpectedWait = Described<typeof expectedWaitSchema>;

export const queueStatusAnswerSchema = record(
  'QueueStatusAnswer',
  {},
  { queueStatus: queueStatusSchema },
  'absent: its program does not wait for a slot, or is next',
);
export type QueueStatusAnswer = Described<typeof queueStatusAnswerSchema>;

export const sharesViewSchema = record(
  'Shares',
  {
    policy: sharesPolicySchema,
    setBy: choice(['configuration', 'administrator']),
    by: text('name; empty: not named'),
  },
  { since: time('absent for the configured default') },
  'slot limits and weights, and who set them',
);
export type SharesView = Described<typeof sharesViewSchema>;

export const sharesChangeSchema = closed(
  record(
    'SharesChange',
    { policy: sharesRequestSchema },
    {
      by: text('name of the caller', {
        maxLength: 200,
        pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
        'x-allowed': 'one line of text, at most 200 characters',
      }),
    },
    'new slot limits and weights that replace the present ones; absent fields get their defaults',
  ),
);

export const priorityOf = choice(
  priorities,
  'live: during beamtime, if the site allows it; backfill: uses idle slots',
  {
    default: 'standard',
  },
);
