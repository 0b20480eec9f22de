import 'reflect-metadata';
import type { JobName, PayloadOf, QueueName, ResultOf } from '@fleet/contracts/queues';
import { Injectable } from '@nestjs/common';

/** Processes one job. Idempotent. */
export interface JobHandler<Q extends QueueName, J extends JobName<Q>> {
  /** @throws Fault transient: retried; any other kind: not retried. */
  handle(payload: PayloadOf<Q, J>): Promise<ResultOf<Q, J>>;
}

export interface HandledJob {
  readonly queue: QueueName;
  readonly job: string;
}

const handledJobs = new WeakMap<object, HandledJob>();

/** Marks a provider as the handler of a job. A class whose `handle` does not match the job does not compile. */
export const HandlesJob =
  <Q extends QueueName, J extends JobName<Q>>(queue: Q, job: J) =>
  (handler: new (...dependencies: never[]) => JobHandler<Q, J>): void => {
    Injectable()(handler);
    handledJobs.set(handler, { queue, job });
  };

/** The job that a class handles; undefined if it is not a handler. */
export const handledJobOf = (candidate: unknown): HandledJob | undefined =>
  typeof candidate === 'function' ? handledJobs.get(candidate) : undefined;
