import { isFault } from '@fleet/contracts';
import { errnoOf } from '@fleet/untrusted-files';
import { UnrecoverableError } from 'bullmq';

/**
 * What the queue library is told about an error: whether another try is right.
 * Transient faults and errors of the system (a file or a connection: they carry a code such as EIO) are tried again.
 */
export const jobError = (error: unknown): Error => {
  if (!(error instanceof Error)) return new UnrecoverableError(String(error));
  if (isFault(error)) {
    const text = `${error.code}: ${error.message}`;
    return error.kind === 'transient' ? new Error(text, { cause: error }) : unrecoverable(text, error);
  }
  return isSystemError(error) ? error : unrecoverable(`${error.name}: ${error.message}`, error);
};

const isSystemError = (error: Error): boolean => /^E[A-Z]+$/.test(errnoOf(error) ?? '');

/** Keeps the stack of the original, which is the one that helps. */
const unrecoverable = (text: string, cause: Error): Error => {
  const error = new UnrecoverableError(text);
  if (cause.stack !== undefined) error.stack = cause.stack;
  error.cause = cause;
  return error;
};
