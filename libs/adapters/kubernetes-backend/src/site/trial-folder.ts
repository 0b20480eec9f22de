import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTrialRecord, shareFolder, toldFile, trialRecordOf, type TrialRecord } from '@fleet/attempt-runner';
import { errnoOf } from '@fleet/contracts';

/** Relative to the work root. */
const trialsFolder = join('.fleet', 'trials');

/** Makes the folder of a trial, shared with the group, and leaves its id in it. Those of earlier trials go. */
export const prepareTrialFolder = (workRoot: string, id: string, fleetGid: number): string => {
  const trials = join(workRoot, trialsFolder);
  mkdirSync(trials, { recursive: true });
  for (const name of readdirSync(trials)) {
    if (name !== id) rmSync(join(trials, name), { recursive: true, force: true });
  }
  const folder = join(trials, id);
  shareFolder(folder, fleetGid);
  writeFileSync(join(folder, toldFile), id);
  chmodSync(join(folder, toldFile), 0o640);
  return folder;
};

export const removeTrialFolder = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
};

export interface SeenRecord {
  readonly record: TrialRecord;
  readonly owner: { readonly uid: number; readonly gid: number };
}

/** What a trial's pod has written, and whose it is here; undefined while there is nothing. */
export const lookForRecord = (folder: string, name: string): SeenRecord | undefined => {
  const path = trialRecordOf({ folder, name });
  try {
    const record = readTrialRecord(path);
    if (record === undefined) return undefined;
    const { uid, gid } = statSync(path);
    return { record, owner: { uid, gid } };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};
