import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles } from '@fleet/contracts';
import type { AttemptPlace } from '../attempt/attempt-files-of';
import { errorCode } from '../attempt/exclusive-file';
import { isThere } from '../attempt/folder-faults';

/** Renews the time of `run.json`; false when the folder is not this attempt's running folder any more. */
export const signOfLife = ({ running }: AttemptPlace): boolean => {
  const now = new Date();
  try {
    utimesSync(join(running, attemptFiles.run), now, now);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  return !isThere(join(running, attemptFiles.result));
};
