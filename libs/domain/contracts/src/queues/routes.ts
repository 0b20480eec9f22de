import {
  deadStepDetailSchema,
  deadStepsViewSchema,
  stepDropSchema,
  stepRetrySchema,
  stepStates,
  stepsDroppedSchema,
  stepsRetriedSchema,
} from './dead-steps';
import { lineOf, pageLimit } from '../route/query';
import { jobOrders, jobPlaces, queuedJobDetailSchema, queuedJobsPageSchema, queuesViewSchema } from './queued-jobs';
import { Queues } from './queues';
import { declareRoutes, forAdministrators } from '../route/route';
import { choice, integer, text, usual } from '../schema/schema';

const forStaff =
  'For staff and administrators; jobs of sessions that the caller may not see are hidden. Disabled with FLEET_ADMIN_API=off.';

export const queuesRoutes = declareRoutes({
  deadSteps: {
    list: {
      method: 'GET',
      path: '/v1/admin/steps',
      permission: 'admin.read',
      summary: 'Lists dead steps by cause, oldest first',
      description: `Read-only. Each queue stores its last 1,000 failures. ${forAdministrators}`,
      query: {
        queue: choice(Object.values(Queues), 'only steps of this queue'),
        cause: lineOf('only steps with this cause'),
        state: choice(
          stepStates,
          'woken: the session is still at the step; given_up: the session ended because of it; past: the session continued or was deleted (default: woken and given_up)',
        ),
        limit: pageLimit('number of steps: 1 to 1000, default 100', 1000, 100),
      },
      answer: deadStepsViewSchema,
      errors: [404],
    },
    look: {
      method: 'GET',
      path: '/v1/admin/steps/{id}',
      permission: 'admin.read',
      summary: 'A dead step with its stack trace',
      description: forAdministrators,
      parameters: { id: text('id as in the list') },
      answer: deadStepDetailSchema,
      errors: [404],
    },
    retry: {
      method: 'POST',
      path: '/v1/admin/steps/retry',
      permission: 'admin.change',
      summary: 'Retries dead steps at a limited rate per minute',
      description: `A session that ended because of the step is resumed; a session that is still at the step is woken. Steps that cannot be retried are in \`unchanged\`, with the reason. ${forAdministrators}`,
      body: stepRetrySchema,
      examples: [{ cause: 'knowledge.invalid', perMinute: 60 }],
      status: 202,
      answer: stepsRetriedSchema,
      errors: [404],
    },
    drop: {
      method: 'POST',
      path: '/v1/admin/steps/drop',
      permission: 'admin.change',
      summary: 'Drops dead steps, with a reason',
      description: `Sessions are unchanged. A step that its session still waits for is not dropped. The audit log records the reason. ${forAdministrators}`,
      body: stepDropSchema,
      examples: [{ steps: ['01jd7v9s6m2x4k8q0w5c3b1n7r-v5'], reason: 'the data set was withdrawn' }],
      answer: stepsDroppedSchema,
      errors: [404],
    },
  },
  queues: {
    view: {
      method: 'GET',
      path: '/v1/admin/queues',
      permission: 'queue.read',
      summary: 'Job counts of each queue, by state',
      description: `Completed jobs are not stored. ${forStaff}`,
      answer: queuesViewSchema,
      errors: [404],
    },
    list: {
      method: 'GET',
      path: '/v1/admin/queues/{queue}/jobs',
      permission: 'queue.read',
      summary: 'Lists the jobs of a queue in one state',
      description: `Read-only. Queues change while they are read: a job may be on two pages, or on none. ${forStaff}`,
      parameters: { queue: text('queue name', { enum: Object.values(Queues) }) },
      query: {
        place: usual(choice(jobPlaces, 'job state; default waiting'), 'waiting'),
        order: usual(choice(jobOrders, 'sort order; default oldest'), 'oldest'),
        offset: usual(integer('number of jobs to skip', { minimum: 0, maximum: 1_000_000 }), 0),
        limit: pageLimit('page size: 1 to 200, default 50', 200, 50),
      },
      answer: queuedJobsPageSchema,
      errors: [404],
    },
    look: {
      method: 'GET',
      path: '/v1/admin/queues/{queue}/jobs/{job}',
      permission: 'queue.read',
      summary: 'A job with its payload and stack trace',
      description: forStaff,
      parameters: { queue: text('queue name', { enum: Object.values(Queues) }), job: text('job id as in the list') },
      answer: queuedJobDetailSchema,
      errors: [404],
    },
    hasten: {
      method: 'POST',
      path: '/v1/admin/queues/{queue}/jobs/{job}/promotion',
      permission: 'admin.change',
      summary: 'Runs a delayed job now',
      description:
        'For administrators; disabled with FLEET_ADMIN_API=off. Safe: a stale step does nothing. A job that is not delayed is refused; to retry dead steps, use /v1/admin/steps/retry.',
      parameters: { queue: text('queue name', { enum: Object.values(Queues) }), job: text('job id as in the list') },
      answer: queuedJobDetailSchema,
      errors: [404, 409],
    },
  },
});
