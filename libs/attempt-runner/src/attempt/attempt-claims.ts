import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles } from '@fleet/contracts';
import type { RunPlace } from '@fleet/ports';
import { hostIdentity, readProcess } from '../processes/process-table';
import { placeOf, type AttemptPlace } from './attempt-files-of';
import type { RunRecord } from './attempt-records';
import { errorCode, writeOnce } from './exclusive-file';
import { isThere } from './folder-faults';

const claim = (folder: string, by: Pick<RunRecord, 'claimedBy' | 'name' | 'specHash' | 'startedAt'>) => {
  const self = readProcess(process.pid);
  if (self === undefined) throw new Error('this process cannot see itself in /proc');
  const { pid, startTime } = self;
  const record: RunRecord = { schemaVersion: 1, ...by, host: hostIdentity(), supervisor: { pid, startTime } };
  return writeOnce(join(folder, attemptFiles.run), record) ? record : undefined;
};

/**
 * Takes a run in order to start it, in its running folder; undefined when somebody was faster, or when that folder is
 * published or gone since it was looked at: then the run is not ours.
 */
export const claimRun = (
  folder: string,
  run: Pick<RunRecord, 'name' | 'specHash' | 'startedAt'>,
): RunRecord | undefined => {
  try {
    return claim(folder, { claimedBy: 'supervisor', ...run });
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !isThere(folder)) return undefined;
    throw error;
  }
};

/**
 * Takes a run that nobody has started, so that nobody ever can; undefined when somebody was faster.
 * The folder of the run is made for it. `now` in milliseconds since 1970.
 */
export const claimForCancel = (run: RunPlace, now: number): RunRecord | undefined => {
  const { running } = placeOf(run);
  mkdirSync(join(running, attemptFiles.folder), { recursive: true });
  const startedAt = new Date(now).toISOString();
  return claim(running, { claimedBy: 'cancel', name: run.name, specHash: '', startedAt });
};

/**
 * Says in the folder of a running attempt that it is to end as cancelled; its supervisor looks each second, and when it
 * is told to end. Idempotent. False when the attempt has ended meanwhile.
 */
export const askToCancel = (place: AttemptPlace, now: number): boolean => {
  try {
    writeOnce(join(place.running, attemptFiles.cancel), { at: new Date(now).toISOString() });
    return true;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || !isThere(place.published)) throw error;
    return false;
  }
};
