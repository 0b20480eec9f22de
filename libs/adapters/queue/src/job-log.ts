import { traceIdOfError } from '@fleet/observability';
import type { Logger } from '@nestjs/common';
import type { Job, Worker } from 'bullmq';

/** Logs the same fields for every job: name, session, waiting time and duration. */
export const logJobs = (worker: Worker, queue: string, logger: Logger): void => {
  worker.on('completed', (job) =>
    logger.debug({ message: 'step done', ...fieldsOf(job, queue), outcome: outcomeOf(job) }),
  );
  worker.on('failed', (job, error) => {
    if (job === undefined) {
      logger.error({ message: 'step lost', queue, reason: error.message });
      return;
    }
    const final = job.finishedOn !== undefined;
    const line = {
      message: final ? 'step failed' : 'step failed; retrying',
      ...fieldsOf(job, queue),
      reason: error.message,
      traceId: traceIdOfError(error),
    };
    if (final) logger.error({ ...line, stack: error.stack });
    else logger.warn(line);
  });
  worker.on('stalled', (jobId) => logger.warn({ message: 'step lost its worker; retrying', queue, jobId }));
};

const fieldsOf = (job: Job, queue: string): Record<string, unknown> => ({
  queue,
  job: job.name,
  jobId: job.id,
  sessionId: sessionOf(job.data),
  tries: job.attemptsMade,
  queuedMs: job.processedOn === undefined ? undefined : job.processedOn - job.timestamp,
  ranMs: job.finishedOn === undefined || job.processedOn === undefined ? undefined : job.finishedOn - job.processedOn,
});

const sessionOf = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'sessionId' in data ? data.sessionId : undefined;

const outcomeOf = (job: Job): unknown => {
  const result: unknown = job.returnvalue;
  return typeof result === 'object' && result !== null && 'outcome' in result ? result.outcome : undefined;
};
