import { Fault } from '@fleet/contracts';
import { errorCode } from './exclusive-file';

/** What is wrong with a folder for good, until somebody mends it (errno(3)). */
const lasting: Readonly<Record<string, string>> = {
  EACCES: 'the executor may not write there',
  EPERM: 'the executor may not write there',
  EROFS: 'its file system can only be read',
  ENOTDIR: 'a part of its path is no folder',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'its path leads in a circle',
};

/** What a disk or a file server says that is in trouble or full, and may be well again without us (errno(3)). */
const passing: ReadonlySet<string> = new Set([
  ...[
    'EIO',
    'EREMOTEIO',
    'ESTALE',
    'ETIMEDOUT',
    'EHOSTDOWN',
    'EHOSTUNREACH',
    'ENOTCONN',
    'ESHUTDOWN',
    'ENODEV',
    'ENXIO',
  ],
  ...['ENOSPC', 'EDQUOT'],
]);

/**
 * Why a run's folder cannot be made: a Fault `run.folder_unusable`; undefined for any other trouble.
 * @param words for codes that mean something else here
 */
export const unusableFolder = (
  cause: unknown,
  folder: string,
  words: Readonly<Record<string, string>> = {},
): Fault | undefined => {
  const code = errorCode(cause) ?? '';
  const trouble = words[code] ?? lasting[code];
  if (trouble === undefined) return undefined;
  return new Fault('run.folder_unusable', 'caller', `${folder} cannot be used: ${trouble}`, { cause });
};

/** A Fault `run.storage_failing` (transient) for a trouble of the disk or file server itself; other errors as they are. */
export const storageFault = (error: unknown): unknown => {
  if (!(error instanceof Error) || !passing.has(errorCode(error) ?? '')) return error;
  return new Fault('run.storage_failing', 'transient', `the file system of the work root fails: ${error.message}`, {
    cause: error,
  });
};
