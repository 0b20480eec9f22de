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
  'For staff and administrators; jobs of foreign sessions do not exist. Disabled with FLEET_ADMIN_API=off.';

export const queuesRoutes = declareRoutes({
  deadSteps: {
    list: {
      method: 'GET',
      path: '/v1/admin/steps',
      permission: 'admin.read',
      summary: 'Steps that failed for good, by cause, the oldest first',
      description: `Changes nothing. Each queue keeps its last thousand failures. ${forAdministrators}`,
      query: {
        queue: choice(Object.values(Queues), 'only of this queue'),
        cause: lineOf('only of this cause'),
        state: choice(
          stepStates,
          'woken: the session is still at the step; given_up: it ended because of it; past: it continued, or is gone (default: woken and given_up)',
        ),
        limit: pageLimit('steps of the answer: 1 to 1000, by default 100', 1000, 100),
      },
      answer: deadStepsViewSchema,
      errors: [404],
    },
    look: {
      method: 'GET',
      path: '/v1/admin/steps/{id}',
      permission: 'admin.read',
      summary: 'A step that failed for good, with where it failed',
      description: forAdministrators,
      parameters: { id: text('as the list has it') },
      answer: deadStepDetailSchema,
      errors: [404],
    },
    retry: {
      method: 'POST',
      path: '/v1/admin/steps/retry',
      permission: 'admin.change',
      summary: 'Lets steps that failed for good be tried again, so many a minute',
      description: `A session that was given up is resumed; one that is still at its step is woken. What cannot be tried again is in \`kept\`, with the reason. ${forAdministrators}`,
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
      summary: 'Forgets steps that failed for good, with a reason',
      description: `Sessions stay as they are; a step that its session still waits for is kept. The audit log keeps the reason. ${forAdministrators}`,
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
      summary: 'How many jobs lie in each queue, and where',
      description: `Done jobs are not kept. ${forStaff}`,
      answer: queuesViewSchema,
      errors: [404],
    },
    list: {
      method: 'GET',
      path: '/v1/admin/queues/{queue}/jobs',
      permission: 'queue.read',
      summary: 'Jobs of a queue, a page of those at one place',
      description: `Changes nothing. Queues move while they are read: a job may be on two pages, or on none. ${forStaff}`,
      parameters: { queue: text('its name', { enum: Object.values(Queues) }) },
      query: {
        place: usual(choice(jobPlaces, 'by default waiting'), 'waiting'),
        order: usual(choice(jobOrders, 'by default oldest'), 'oldest'),
        offset: usual(integer('jobs that are passed over', { minimum: 0, maximum: 1_000_000 }), 0),
        limit: pageLimit('jobs of the page: 1 to 200, by default 50', 200, 50),
      },
      answer: queuedJobsPageSchema,
      errors: [404],
    },
    look: {
      method: 'GET',
      path: '/v1/admin/queues/{queue}/jobs/{job}',
      permission: 'queue.read',
      summary: 'A job, with its payload and where it failed',
      description: forStaff,
      parameters: { queue: text('its name', { enum: Object.values(Queues) }), job: text('its id, as the list has it') },
      answer: queuedJobDetailSchema,
      errors: [404],
    },
    hasten: {
      method: 'POST',
      path: '/v1/admin/queues/{queue}/jobs/{job}/promotion',
      permission: 'admin.change',
      summary: 'Lets a job that is tried again later begin now',
      description:
        'For administrators; disabled with FLEET_ADMIN_API=off. Harmless: the step looks at its session first, and a stale one does nothing. One that is not delayed is refused; what failed for good is tried again at /v1/admin/steps/retry.',
      parameters: { queue: text('its name', { enum: Object.values(Queues) }), job: text('its id, as the list has it') },
      answer: queuedJobDetailSchema,
      errors: [404, 409],
    },
  },
});
