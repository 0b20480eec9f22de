import { choice, closed, integer, list, record, text, type Described, type Schema } from '../schema/schema';
import { count, line, time } from '../schema/schema-fields';
import { Queues, type QueueName } from './queues';

const queueName = choice(Object.values(Queues) as [QueueName, ...QueueName[]]);

export const stepStates = ['woken', 'given_up', 'past'] as const;
/**
 * The state of the session of a step that failed permanently:
 * - `woken`: it is still at that step, and sweepers wake it again;
 * - `given_up`: it ended because of the failure;
 * - `past`: it continued, ended otherwise, or no longer exists.
 */
export type StepState = (typeof stepStates)[number];

const deadStepMembers = {
  id: text('the session and its version, `<session>-v<version>`; the id of its job where that is unreadable'),
  queue: queueName,
  job: text(),
  state: choice(stepStates),
  cause: text('the code of the fault or the name of the error; `other` where there is none'),
  reason: line('what the last failure said'),
  failures: count('wake-ups that failed, of those that are kept'),
  firstAt: time('the first of them'),
  lastAt: time('the last of them'),
} as const;
const ofSession = { sessionId: text() } as const;

export const deadStepSchema = record('DeadStep', deadStepMembers, ofSession, 'a step that failed for good');
export type DeadStep = Described<typeof deadStepSchema>;

export const deadStepDetailSchema = record(
  'DeadStepDetail',
  { ...deadStepMembers, stack: list(text(), 'where the last failure came from, a line an entry') },
  ofSession,
  'a step that failed for good, with where it failed',
);
export type DeadStepDetail = Described<typeof deadStepDetailSchema>;

const deadCauseSchema = record(
  { cause: text(), queue: queueName, steps: count(), firstAt: time() },
  {},
  'steps that failed alike',
);
export type DeadCause = Described<typeof deadCauseSchema>;

export const deadStepsViewSchema = record('DeadSteps', {
  causes: list(deadCauseSchema, 'of all that were asked for, those of most steps first'),
  steps: list(deadStepSchema, 'the oldest first'),
  more: count('steps beyond the limit'),
});
export type DeadStepsView = Described<typeof deadStepsViewSchema>;

const chosen: { readonly steps: Schema<readonly string[]>; readonly cause: Schema<string> } = {
  steps: list(text('', { minLength: 1, maxLength: 200 }), 'which, by their ids', { minItems: 1, maxItems: 1000 }),
  cause: text('all of this cause, in place of `steps`', { minLength: 1, maxLength: 200 }),
};

/** Default rate of retries, in steps per minute. */
export const usualRetriesPerMinute = 60;

export const stepRetrySchema = closed(
  record(
    'StepRetry',
    {},
    {
      ...chosen,
      perMinute: integer(`how many begin in a minute; by default ${String(usualRetriesPerMinute)}`, {
        minimum: 1,
        maximum: 6000,
      }),
    },
    'exactly one of `steps` and `cause`',
  ),
);
export type StepRetry = Described<typeof stepRetrySchema>;

export const stepDropSchema = closed(
  record(
    'StepDrop',
    {
      reason: text('why nobody needs them any more, in one sentence; the audit log keeps it', {
        minLength: 1,
        maxLength: 500,
        pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
        'x-allowed': 'one line of text, 1 to 500 characters',
      }),
    },
    chosen,
    'exactly one of `steps` and `cause`',
  ),
);
export type StepDrop = Described<typeof stepDropSchema>;

const unchangedStepSchema = record({ id: text(), reason: text('one sentence') }, {}, 'a step that was left as it is');
export type UnchangedStep = Described<typeof unchangedStepSchema>;

export const stepsRetriedSchema = record('StepsRetried', {
  retried: list(record({ id: text(), sessionId: text(), inSeconds: integer('when it begins', { minimum: 0 }) })),
  unchanged: list(unchangedStepSchema),
});
export type StepsRetried = Described<typeof stepsRetriedSchema>;

export const stepsDroppedSchema = record('StepsDropped', {
  dropped: list(text(), 'ids'),
  unchanged: list(unchangedStepSchema),
});
export type StepsDropped = Described<typeof stepsDroppedSchema>;
