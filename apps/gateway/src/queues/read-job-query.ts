import { jobOrders, jobPlaces, Queues, type JobPlace, type QueueName } from '@fleet/contracts';
import type { JobRange } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';
import { QueryReader, type Query } from '../http/read-query';

/** Which jobs of a queue are asked for. */
export interface JobQuery extends JobRange {
  readonly place: JobPlace;
}

/** @throws ApiError `request.invalid` with every problem that was found */
export const readJobQuery = (query: Query): JobQuery => {
  const reader = new QueryReader(query, ['place', 'order', 'offset', 'limit']);
  const place = reader.choice('place', jobPlaces) ?? 'waiting';
  const order = reader.choice('order', jobOrders) ?? 'oldest';
  const offset = reader.integer('offset', { default: 0, min: 0, max: 1_000_000 });
  const limit = reader.integer('limit', { default: 50, min: 1, max: 200 });
  reader.done();
  return { place, order, offset, limit };
};

/** @throws ApiError `queue.not_found` */
export const queueCalled = (name: string): QueueName => {
  const queue = Object.values(Queues).find((one) => one === name);
  if (queue !== undefined) return queue;
  const known = Object.values(Queues).join(', ');
  throw new ApiError(
    'queue.not_found',
    `There is no queue ${JSON.stringify(name.slice(0, 64))}; the queues are ${known}.`,
  );
};
