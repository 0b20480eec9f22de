import { lutimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { attemptFiles } from '@fleet/contracts/runs';
import { readResult, type AttemptFolders } from '../attempt/attempt-files-of';
import { inOwnFolder } from '../attempt/own-folder';

/** Errors of a missing or replaced folder. */
const gone: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'file.is_link']);

/**
 * Renews the time of `run.json`. Returns false if the folder is no longer this attempt's running folder, or contains a
 * result of another process. A file that is not a result is moved aside, and the program continues.
 */
export const signOfLife = ({ running }: AttemptFolders): boolean => {
  const now = new Date();
  try {
    inOwnFolder(running, (at) => lutimesSync(join(at, basename(attemptFiles.run)), now, now));
  } catch (error) {
    if (gone.has(errnoOf(error) ?? '')) return false;
    throw error;
  }
  return readResult(running) === undefined;
};
