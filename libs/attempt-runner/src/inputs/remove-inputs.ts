import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles } from '@fleet/contracts';
import { errorCode } from '../attempt/exclusive-file';

/** What a program can do to its own folders, or nothing that is left of one. */
const inTheWay: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENOTEMPTY', 'ENOENT', 'ENOTDIR', 'ELOOP']);

/**
 * Removes the copies of a run's files once its program has ended: the originals lie elsewhere. Through the folder itself, in case the
 * program has put a link in its place. A program can lock its folders, and that must not cost its result: then the copies stay, and are no output.
 */
export const removeInputs = (attemptFolder: string): void => {
  try {
    const folder = openSync(attemptFolder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      rmSync(join(`/proc/self/fd/${String(folder)}`, attemptFiles.inputs), { recursive: true, force: true });
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!inTheWay.has(errorCode(error) ?? '')) throw error;
  }
};
