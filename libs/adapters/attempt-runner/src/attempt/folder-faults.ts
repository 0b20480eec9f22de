import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import type { RunLocation } from '@fleet/ports';

/** What is wrong with a folder for good, until somebody fixes it (errno(3)). */
const lasting: Readonly<Record<string, string>> = {
  EACCES: 'the executor may not write there',
  EPERM: 'the executor may not write there',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'part of its path is not a folder',
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
  const code = errnoOf(cause) ?? '';
  const trouble = words[code] ?? lasting[code];
  if (trouble === undefined) return undefined;
  return new Fault('run.folder_unusable', 'caller', `${folder} cannot be used: ${trouble}`, { cause });
};

/**
 * Whether there is something of that name. Unlike `existsSync`, it does not take a disk in trouble for an empty one:
 * what has ended would be started again.
 * @throws the system's error for a trouble of the disk or file server
 */
export const isThere = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (passing.has(errnoOf(error) ?? '')) throw error;
    return false;
  }
};

/**
 * Refuses to believe that a run was never made, or is gone, where even its proposal's folder is not there: then the
 * work root is not mounted, and what ended long ago would be started again.
 * @throws Fault `run.storage_failing` (transient)
 */
export const refuseMissingRoot = ({ sessionFolder }: Pick<RunLocation, 'sessionFolder'>): void => {
  const folder = dirname(sessionFolder);
  if (isThere(sessionFolder) || isThere(folder)) return;
  throw new Fault('run.storage_failing', 'transient', `${folder} is not there: is the work root mounted?`);
};

/** A Fault `run.storage_failing` (transient) for a trouble of the disk or file server itself; other errors as they are. */
export const storageFault = (error: unknown): unknown => {
  if (!passing.has(errnoOf(error) ?? '')) return error;
  const reason = String(error).replace(/^Error: /, '');
  return new Fault('run.storage_failing', 'transient', `the file system of the work root fails: ${reason}`, {
    cause: error,
  });
};
