import { failureText, isFault, isPassing } from '@fleet/contracts/faults';
import { UnrecoverableError } from 'bullmq';

/** Converts an error for the queue library, which decides by its class whether to retry. */
export const jobError = (error: unknown): Error => {
  if (!(error instanceof Error)) return new UnrecoverableError(failureText(error));
  if (!isPassing(error)) return unrecoverable(error);
  return isFault(error) ? new Error(failureText(error), { cause: error }) : error;
};

/** Keeps the stack of the original error. */
const unrecoverable = (cause: Error): Error => {
  const error = new UnrecoverableError(failureText(cause));
  if (cause.stack !== undefined) error.stack = cause.stack;
  error.cause = cause;
  return error;
};
