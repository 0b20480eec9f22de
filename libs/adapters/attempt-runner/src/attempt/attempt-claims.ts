import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { attemptFiles } from '@fleet/contracts/runs';
import type { RunLocation } from '@fleet/ports';
import { hostIdentity, readProcess } from '../processes/process-table';
import { isIn, foldersOf, type AttemptFolders } from './attempt-files-of';
import type { RunRecord } from './attempt-records';
import { writeOnce } from './exclusive-file';
import { isThere } from './folder-faults';
import { inOwnFolder, inRunningOwnFolder, makeOwnFolder, whatIs } from './own-folder';

const claim = (folder: string, by: Pick<RunRecord, 'claimedBy' | 'name' | 'specHash' | 'startedAt' | 'key'>) => {
  const self = readProcess(process.pid);
  if (self === undefined) throw new Error('this process cannot see itself in /proc');
  const { pid, startTime } = self;
  const record: RunRecord = { schemaVersion: 1, ...by, host: hostIdentity(), supervisor: { pid, startTime } };
  const isFirst = inOwnFolder(folder, (at) => writeOnce(join(at, basename(attemptFiles.run)), record));
  return isFirst ? record : undefined;
};

/**
 * Takes a run in order to start it, in its running folder; undefined when somebody was faster, or when that folder is
 * published or gone since it was looked at: then the run is not ours.
 */
export const claimRun = (
  folder: string,
  run: Pick<RunRecord, 'name' | 'specHash' | 'startedAt' | 'key'>,
): RunRecord | undefined => {
  try {
    return claim(folder, { claimedBy: 'supervisor', ...run });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && !isThere(folder)) return undefined;
    throw error;
  }
};

/**
 * Takes a run that nobody has started, so that nobody ever can; undefined when somebody was faster.
 * The folder of the run is made for it. `now` in milliseconds since 1970.
 */
export const claimForCancel = (run: RunLocation, now: number): RunRecord | undefined => {
  const { running } = foldersOf(run);
  makeOwnFolder(running);
  const startedAt = new Date(now).toISOString();
  return claim(running, { claimedBy: 'cancel', name: run.name, specHash: '', startedAt });
};

/**
 * Says in the folder of a running attempt that it is to end as cancelled; its supervisor looks each second, and when it
 * is told to end. Idempotent. False when the attempt has ended meanwhile.
 */
export const askToCancel = (folders: AttemptFolders, now: number): boolean => {
  try {
    const at = new Date(now).toISOString();
    inOwnFolder(folders.running, (folder) => writeOnce(join(folder, basename(attemptFiles.cancel)), { at }));
    return true;
  } catch (error) {
    if (!asIfGone.has(errnoOf(error) ?? '')) throw error;
    return whatIs(folders.running) === 'folder' || whatIs(folders.published) === undefined;
  }
};

/**
 * Notes that a cluster has taken the run, so that a Job that somebody deletes is not made again; false when the run is claimed or has ended by
 * then, or its folder is gone: nothing has to be known of its Job any more. Should a power cut take the note, and somebody the Job, it is made
 * again; the claim of its program is kept, so that nothing starts twice. That the note is there is all that it says: it may be cut short.
 * `now` in milliseconds since 1970.
 */
export const noteHandedOver = (folders: AttemptFolders, now: number): boolean =>
  inRunningOwnFolder(folders, (at) => {
    if (isIn(at, attemptFiles.run) || isIn(at, attemptFiles.result)) return false;
    const text = `${JSON.stringify({ at: new Date(now).toISOString() })}\n`;
    try {
      writeFileSync(join(at, basename(attemptFiles.handedOver)), text, { flag: 'wx' });
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
    return true;
  }) ?? false;

/** The folder was published meanwhile, or the program has put something in its place: the signal that follows has to do. */
const asIfGone: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'file.is_link']);
