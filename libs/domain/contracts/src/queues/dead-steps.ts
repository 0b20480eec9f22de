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
  id: text('`<session>-v<version>`, or the job id if the payload is unreadable'),
  queue: queueName,
  job: text(),
  state: choice(stepStates),
  cause: text('fault code or error name; otherwise `other`'),
  reason: line('message of the last failure'),
  failures: count('failed wake-ups that are still stored'),
  firstAt: time('time of the first failure'),
  lastAt: time('time of the last failure'),
} as const;
const ofSession = { sessionId: text() } as const;

const deadStepSchema = record('DeadStep', deadStepMembers, ofSession, 'a dead step: it failed permanently');
export type DeadStep = Described<typeof deadStepSchema>;

export const deadStepDetailSchema = record(
  'DeadStepDetail',
  { ...deadStepMembers, stack: list(text(), 'stack trace of the last failure, one line per entry') },
  ofSession,
  'a dead step with its stack trace',
);
export type DeadStepDetail = Described<typeof deadStepDetailSchema>;

const deadCauseSchema = record(
  { cause: text(), queue: queueName, steps: count(), firstAt: time() },
  {},
  'steps with the same cause',
);
export type DeadCause = Described<typeof deadCauseSchema>;

export const deadStepsViewSchema = record('DeadSteps', {
  causes: list(deadCauseSchema, 'causes of all matching steps, most frequent first'),
  steps: list(deadStepSchema, 'oldest first'),
  more: count('number of steps beyond the limit'),
});
export type DeadStepsView = Described<typeof deadStepsViewSchema>;

const chosen: { readonly steps: Schema<readonly string[]>; readonly cause: Schema<string> } = {
  steps: list(text('', { minLength: 1, maxLength: 200 }), 'ids of the steps', { minItems: 1, maxItems: 1000 }),
  cause: text('all steps with this cause, instead of `steps`', { minLength: 1, maxLength: 200 }),
};

/** Default rate of retries, in steps per minute. */
export const usualRetriesPerMinute = 60;

export const stepRetrySchema = closed(
  record(
    'StepRetry',
    {},
    {
      ...chosen,
      perMinute: integer(`steps per minute; default ${String(usualRetriesPerMinute)}`, {
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
      reason: text('reason in one sentence, for the audit log', {
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

const unchangedStepSchema = record(
  'UnchangedStep',
  { id: text(), reason: text('one sentence') },
  {},
  'an unchanged step',
);
export type UnchangedStep = Described<typeof unchangedStepSchema>;

export const stepsRetriedSchema = record('StepsRetried', {
  retried: list(record({ id: text(), sessionId: text(), inSeconds: integer('start of the window', { minimum: 0 }) })),
  unchanged: list(unchangedStepSchema),
});
export type StepsRetried = Described<typeof stepsRetriedSchema>;

export const stepsDroppedSchema = record('StepsDropped', {
  dropped: list(text(), 'ids'),
  unchanged: list(unchangedStepSchema),
});
export type StepsDropped = Described<typeof stepsDroppedSchema>;
