import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shareFolder } from '../attempt/shared-folders';
import { trialIdFile } from './trial-record';

/** Relative to the work root. */
const trialsFolder = join('.fleet', 'trials');

/**
 * Creates the folder of a trial and writes its id there. Removes the folders of earlier trials.
 * @param gid the group to share it with, also for another executor that takes the trial over; absent: the folder is
 *   private and recreated
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
