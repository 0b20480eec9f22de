import { ApiParam, ApiQuery } from '@nestjs/swagger';
import { jobOrders, jobPlaces, Queues } from '@fleet/contracts';
import { answers } from './answers';

const description =
  'For staff and administrators; jobs of foreign sessions do not exist. Disabled with FLEET_ADMIN_API=off.';
const queue = ApiParam({ name: 'queue', description: 'its name', enum: Object.values(Queues) });
const job = ApiParam({ name: 'job', description: 'its id, as the list has it' });

export const QueuesDocs = (): MethodDecorator =>
  answers({
    summary: 'How many jobs lie in each queue, and where',
    description: `Done jobs are not kept. ${description}`,
    status: 200,
    schema: 'QueueList',
    errors: [404],
  });

export const QueuedJobsDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Jobs of a queue, a page of those at one place',
      description: `Changes nothing. Queues move while they are read: a job may be on two pages, or on none. ${description}`,
      status: 200,
      schema: 'QueuedJobs',
      errors: [404],
    },
    queue,
    ApiQuery({ name: 'place', required: false, description: 'by default waiting', enum: jobPlaces }),
    ApiQuery({ name: 'order', required: false, description: 'by default oldest', enum: jobOrders }),
    ApiQuery({
      name: 'offset',
      required: false,
      description: 'jobs that are passed over',
      schema: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
    }),
    ApiQuery({
      name: 'limit',
      required: false,
      description: 'jobs of the page: 1 to 200, by default 50',
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    }),
  );

export const QueuedJobDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'A job, with its payload and where it failed',
      description,
      status: 200,
      schema: 'QueuedJobDetail',
      errors: [404],
    },
    queue,
    job,
  );

export const HastenJobDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Lets a job that is tried again later begin now',
      description:
        'For administrators; disabled with FLEET_ADMIN_API=off. Harmless: the step looks at its session first, and a stale one does nothing. One that is not delayed is refused; what failed for good is tried again at /v1/admin/steps/retry.',
      changes: true,
      status: 200,
      schema: 'QueuedJobDetail',
      errors: [404, 409],
    },
    queue,
    job,
  );
