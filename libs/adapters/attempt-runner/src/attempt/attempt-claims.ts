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
  if (self === undefined) throw new Error('this process does not find itself in /proc');
  const { pid, startTime } = self;
  const record: RunRecord = { schemaVersion: 1, ...by, host: hostIdentity(), supervisor: { pid, startTime } };
  const isFirst = inOwnFolder(folder, (at) => writeOnce(join(at, basename(attemptFiles.run)), record));
  return isFirst ? record : undefined;
};

/**
 * Claims a run in its running folder, in order to start it. Returns undefined if another process claimed it first, or
 * if that folder was published or removed meanwhile.
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
 * Claims a run that was never started, so that it can never start. Creates the folder of the run. Returns undefined if
 * another process claimed it first. `now` in milliseconds since 1970.
 */
export const claimForCancel = (run: RunLocation, now: number): RunRecord | undefined => {
  const { running } = foldersOf(run);
  makeOwnFolder(running);
  const startedAt = new Date(now).toISOString();
  return claim(running, { claimedBy: 'cancel', name: run.name, specHash: '', startedAt });
};

/**
 * Writes a cancel request into the folder of a running attempt. Its supervisor checks for one each second and when it
 * receives a signal. Idempotent. Returns false if the attempt has ended meanwhile.
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
 * Notes that a cluster has accepted the run, so that a Job that an administrator deletes is not created again. Returns
 * false if the run is claimed, has ended or has no folder: its Job is irrelevant then. If a power cut loses the note
 * and the Job was deleted, the Job is created again. The program's claim survives, so nothing starts twice. Only the
 * existence of the note counts: its content may be cut short. `now` in milliseconds since 1970.
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

/** The folder was published meanwhile, or the program replaced it. The signal that follows is then enough. */
const asIfGone: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'file.is_link']);
