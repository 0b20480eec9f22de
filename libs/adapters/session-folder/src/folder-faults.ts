import { errnoOf, Fault, isFault } from '@fleet/contracts/faults';

/** The system's message without the path, which may go through a handle: `ENOSPC: no space left on device`. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? errnoOf(error) === undefined
      ? error.message
      : (error.message.split(',')[0] ?? '')
    : String(error);

export const outside = (path: string): Fault =>
  new Fault('file.outside_root', 'caller', `${path} is not a session's folder below the work root`);

export const throughLink = (path: string): Fault =>
  new Fault(
    'file.outside_root',
    'caller',
    `${path} is a link. Folders of the service are not reached through links; replace the link with a folder, or use another proposal.`,
  );

/** A full or unreachable disk is transient: the step is retried, and nothing is lost meanwhile. */
export const asFault = (error: unknown, path: string): unknown =>
  isFault(error) || errnoOf(error) === undefined
    ? error
    : new Fault('storage.unwritable', 'transient', `${path} cannot be written: ${reasonOf(error)}`, { cause: error });
