import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import type { RunLocation } from '@fleet/ports';

/** Permanent errors of a folder, until an administrator fixes it (errno(3)). */
const lasting: Readonly<Record<string, string>> = {
  EACCES: 'the executor may not write there',
  EPERM: 'the executor may not write there',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'part of its path is not a folder',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'its path is circular',
};

/** Errors of a failing or full disk or file server, which may recover without intervention (errno(3)). */
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
 * Why a run's folder cannot be created: a Fault `run.folder_unusable`; undefined for any other error.
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
 * Whether a path exists. Unlike `existsSync`, it throws if the disk fails: otherwise a run that ended would start
 * again.
 * @throws the system's error of the disk or file server
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
 * Throws if even the proposal's folder of a missing run is missing: the work root is not mounted then, and runs that
 * ended long ago would start again.
 * @throws Fault `run.storage_failing` (transient)
 */
export const refuseMissingRoot = ({ sessionFolder }: Pick<RunLocation, 'sessionFolder'>): void => {
  const folder = dirname(sessionFolder);
  if (isThere(sessionFolder) || isThere(folder)) return;
  throw new Fault('run.storage_failing', 'transient', `${folder} is missing: is the work root mounted?`);
};

/**
 * Turns an error of the disk or file server into a Fault `run.storage_failing` (transient); returns other errors
 * unchanged.
 */
export const storageFault = (error: unknown): unknown => {
  if (!passing.has(errnoOf(error) ?? '')) return error;
  const reason = String(error).replace(/^Error: /, '');
  return new Fault('run.storage_failing', 'transient', `the file system of the work root fails: ${reason}`, {
    cause: error,
  });
};
