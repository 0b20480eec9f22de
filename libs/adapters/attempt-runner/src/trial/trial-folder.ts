import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shareFolder } from '../attempt/shared-folders';
import { trialIdFile } from './trial-record';

/** Relative to the work root. */
const trialsFolder = join('.fleet', 'trials');

/**
 * Makes the folder of a trial and leaves its id in it. Those of earlier trials are removed.
 * @param gid the group that it is shared with, also by another executor that takes the trial over; absent: it is one's own, and made again
 * @returns its absolute path
 */
export const prepareTrialFolder = (workRoot: string, id: string, gid?: number): string => {
  const trials = join(workRoot, trialsFolder);
  mkdirSync(trials, { recursive: true });
  for (const name of readdirSync(trials)) {
    if (name !== id || gid === undefined) rmSync(join(trials, name), { recursive: true, force: true });
  }
  const folder = join(trials, id);
  if (gid === undefined) mkdirSync(folder);
  else shareFolder(folder, gid);
  writeFileSync(join(folder, trialIdFile), id);
  chmodSync(join(folder, trialIdFile), 0o640);
  return folder;
};
