import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { attemptFiles } from '@fleet/contracts/runs';
import { inAttemptFolder } from './own-folder';

/** What a program can do to its own folders, or nothing that is left of one. */
const inTheWay: ReadonlySet<string> = new Set([
  ...['EACCES', 'EPERM', 'ENOTEMPTY', 'ENOENT', 'ENOTDIR', 'ELOOP'],
  'file.is_link',
]);

/**
 * Removes the copies of a run's files once its program has ended: the originals lie elsewhere. No link is followed on the way, which a
 * program could have put there. A program can lock its folders, and that must not cost its result: then the copies stay, and are not output.
 */
export const removeInputs = (attemptFolder: string): void => {
  try {
    inAttemptFolder(attemptFolder, (at) => {
      rmSync(join(at, attemptFiles.inputs), { recursive: true, force: true });
    });
  } catch (error) {
    if (!inTheWay.has(errnoOf(error) ?? '')) throw error;
  }
};
