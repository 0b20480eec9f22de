import { statSync } from 'node:fs';
import { readTrialRecord, trialRecordOf, type TrialRecord } from '@fleet/attempt-runner';
import { errnoOf } from '@fleet/contracts/faults';

export interface SeenRecord {
  readonly record: TrialRecord;
  readonly owner: { readonly uid: number; readonly gid: number };
}

/** The record of a trial pod and its owner as seen here; undefined until it exists. */
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
