import { choice, closed, integer, list, mapOf, number, record, text, type Described } from '../schema/schema';
import { time } from '../schema/schema-fields';

/** Launch order: live beamtime, everything else, and work that fills the gaps. */
export const priorities = ['live', 'standard', 'backfill'] as const;
export type Priority = (typeof priorities)[number];

const most = (what: string) => integer(`${what}; 0: no limit`, { default: 0, minimum: 0, maximum: 1_000_000 });
const weight = (keywords: object = {}) =>
  number('its share of the slots, beside proposals of weight 1', { minimum: 0.01, maximum: 1000, ...keywords });
const name = (what: string) => text(what, { minLength: 1, maxLength: 64 });

const proposalShareSchema = record(
  {},
  {
    weight: weight(),
    maxRunning: integer('programs at once, in place of maxPerProposal; 0: no limit', {
      minimum: 0,
      maximum: 1_000_000,
    }),
    startsPerDay: integer('programs started a day (UTC), in place of startsPerDayPerProposal; 0: no limit', {
      minimum: 0,
      maximum: 1_000_000,
    }),
  },
  'what differs for one proposal',
);

const policyMembers = {
  proposals: mapOf(proposalShareSchema, 'what differs for single proposals, by name; others have weight 1', {
    default: {},
    maxProperties: 10_000,
  }),
  maxPerProposal: most('programs of one proposal at once'),
  maxGpuPerProposal: most('programs of one proposal on GPUs at once'),
  maxPerUser: most('programs of one submitter at once'),
  maxLive: most('programs of priority live at once'),
  maxStandard: most('programs of priority standard at once'),
  maxBackfill: most('programs of priority backfill at once'),
  startsPerDayPerProposal: most('programs that one proposal may start a day (UTC)'),
  startsPerDayPerUser: most('programs that one submitter may start a day (UTC)'),
  backfillWaitsHours: number('hours after its submission from which a backfill session is treated as standard', {
    default: 12,
    minimum: 0,
    maximum: 8760,
  }),
  liveAllowedFor: list(
    name('a proposal, a beamline, or * for everybody'),
    'who may submit with priority live; empty: nobody',
    {
      default: [],
      maxItems: 1000,
    },
  ),
} as const;

/** How slots are shared; every member with its value. */
export const sharesPolicySchema = record('SharesPolicy', policyMembers, {}, 'how the slots for programs are shared');
export type SharesPolicy = Described<typeof sharesPolicySchema>;

/** A change by an administrator or a settings file: absent members have their defaults. */
export const sharesRequestSchema = closed(record({}, policyMembers, 'how the slots for programs are shared'));
export type SharesRequest = Described<typeof sharesRequestSchema>;

export const sharesStateSchema = record(
  { policy: sharesPolicySchema, by: text('who said so; empty: nobody was named'), since: time() },
  {},
  'how an administrator has set the shares',
);
export type SharesState = Described<typeof sharesStateSchema>;

export const queueStatusSchema = record(
  'QueueStatus',
  {
    reason: text('what stands in the way, in one sentence without its end'),
    position: integer('from 1, among those that the same thing stands in the way of'),
    of: integer('how many wait for it'),
    since: time('since when it waits'),
    oldestSince: time('since when the one waits for it that waits longest'),
  },
  { estimatedStart: time('at the recent rate; no promise. Absent while nobody can tell') },
  'where a program stands that waits for a slot',
);
export type QueueStatus = Described<typeof queueStatusSchema>;

export const expectedWaitSchema = record(
  'ExpectedWait',
  {},
  {
    seconds: integer(
      'until its first program starts, at the recent rate, no promise; 0: at once. Absent while nobody can tell',
    ),
    reason: text('what stands in the way, in one sentence without its end; absent where nothing does'),
  },
  'how long a session that is submitted now would wait for its first slot',
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
    by: text('who; empty: nobody was named'),
  },
  { since: time('absent of the configuration') },
  'how the slots for programs are shared, and who has set it',
);
export type SharesView = Described<typeof sharesViewSchema>;

export const sharesChangeSchema = closed(
  record(
    'SharesChange',
    { policy: sharesRequestSchema },
    {
      by: text('who says so', {
        maxLength: 200,
        pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
        'x-allowed': 'one line of text, at most 200 characters',
      }),
    },
    'shares that take the place of those that are in force; members that are absent have their defaults',
  ),
);
export type SharesChange = Described<typeof sharesChangeSchema>;

export const priorityOf = choice(priorities, 'live: beamtime, where the site allows it; backfill: fills the gaps', {
  default: 'standard',
});
