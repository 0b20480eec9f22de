import { Fault } from '@fleet/contracts/faults';
import { jobNames, type QueueName } from '@fleet/contracts/queues';
import { handledJobOf } from './handles-job.decorator';

/** A handler as the worker calls it; its types were checked at its declaration. */
export interface AnyHandler {
  handle(payload: unknown): Promise<unknown>;
}

/** A provider of the application: its class and its instance. */
export interface Candidate {
  readonly type: unknown;
  readonly instance: unknown;
}

/**
 * The one handler of each job of a queue.
 * @throws Fault `queue.handlers` (bug) that names every job with no handler or with several
 */
export const handlersOf = (queue: QueueName, candidates: readonly Candidate[]): ReadonlyMap<string, AnyHandler> => {
  const jobs = Object.keys(jobNames[queue]);
  const found = new Map(jobs.map((job) => [job, handlersOfJob(queue, job, candidates)]));
  const problems = [...found].flatMap(([job, handlers]) => problemOf(job, handlers));
  if (problems.length > 0) throw new Fault('queue.handlers', 'bug', `queue ${queue}: ${problems.join('; ')}`);
  return new Map([...found].flatMap(([job, [handler]]) => (handler === undefined ? [] : [[job, handler] as const])));
};

/** By instance: the same provider under two tokens is one handler. */
const handlersOfJob = (queue: QueueName, job: string, candidates: readonly Candidate[]): readonly AnyHandler[] => {
  const instances = candidates
    .filter(({ type }) => {
      const handled = handledJobOf(type);
      return handled?.queue === queue && handled.job === job;
    })
    .map(({ instance }) => instance)
    .filter(isHandler);
  return [...new Set(instances)];
};

const problemOf = (job: string, handlers: readonly AnyHandler[]): readonly string[] => {
  if (handlers.length === 1) return [];
  if (handlers.length === 0) return [`job ${job} has no handler`];
  return [
    `job ${job} has ${String(handlers.length)} handlers: ${handlers.map((one) => one.constructor.name).join(', ')}`,
  ];
};

const isHandler = (instance: unknown): instance is AnyHandler =>
  typeof instance === 'object' && instance !== null && 'handle' in instance && typeof instance.handle === 'function';
