import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { attemptFiles } from '@fleet/contracts/runs';
import { inAttemptFolder } from './own-folder';

/** Errors that a program can cause in its own folders, or a missing folder. */
const inTheWay: ReadonlySet<string> = new Set([
  ...['EACCES', 'EPERM', 'ENOTEMPTY', 'ENOENT', 'ENOTDIR', 'ELOOP'],
  'file.is_link',
]);

/**
 * Removes the copies of a run's input files once its program has ended. Links that the program may have created are not
 * followed. A program can lock its folders, which must not cost its result: then the copies stay and do not count as
 * output.
 */
export const removeInputs = (attemptFolder: string): void => {
  try {
    inAttemptFolder(attemptFolder, (at) => rmSync(join(at, attemptFiles.inputs), { recursive: true, force: true }));
  } catch (error) {
    if (!inTheWay.has(errnoOf(error) ?? '')) throw error;
  }
};
