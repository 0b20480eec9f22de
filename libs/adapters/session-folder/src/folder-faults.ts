import { Fault, isFault } from '@fleet/contracts';
import { errnoOf } from '@fleet/untrusted-files';

/** What the system says, without the path, which may go through a handle: `ENOSPC: no space left on device`. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? errnoOf(error) === undefined
      ? error.message
      : (error.message.split(',')[0] ?? '')
    : String(error);

export const outside = (path: string): Fault =>
  new Fault('file.outside_root', 'caller', `${path} does not lie under the work root as a session's folder does`);

export const throughLink = (path: string): Fault =>
  new Fault(
    'file.outside_root',
    'caller',
    `${path} is a link. A session's folder is not reached through links; put a folder in its place, or use another proposal.`,
  );

/** A disk that is full or away is a passing trouble: the step is tried again, and nothing is lost meanwhile. */
export const asFault = (error: unknown, path: string): unknown =>
  isFault(error) || errnoOf(error) === undefined
    ? error
    : new Fault('storage.unwritable', 'transient', `${path} cannot be written: ${reasonOf(error)}`, { cause: error });
