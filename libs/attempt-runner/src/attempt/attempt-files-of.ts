import { renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attemptFiles, runningSuffix } from '@fleet/contracts';
import type { RunPlace, RunSpec } from '@fleet/ports';
import { unknownHost } from '../processes/process-table';
import { errorCode, moveAside, moveBack, readJson, syncFolder, writeOnce } from './exclusive-file';
import { isThere } from './folder-faults';
import {
  isResultRecord,
  isRunRecord,
  isSpecRecord,
  specHash,
  type ResultRecord,
  type RunRecord,
  type SpecRecord,
} from './attempt-records';

/** Absolute paths of an attempt's two folders: of which there is one at a time. */
export interface AttemptPlace {
  readonly published: string;
  readonly running: string;
}

export const placeOf = (run: Pick<RunPlace, 'sessionFolder' | 'attemptFolder'>): AttemptPlace => {
  const published = join(run.sessionFolder, run.attemptFolder);
  return { published, running: `${published}${runningSuffix}` };
};

type IsRecord<T> = (value: unknown) => value is T;

const readWhole = <T>(path: string, isRecord: IsRecord<T>): T | 'damaged' | undefined => {
  const content = readJson(path);
  if (content === undefined || content === 'damaged') return content;
  return isRecord(content.value) ? content.value : 'damaged';
};

/**
 * Reads a record of a folder. A damaged one (a disk that promised too much before a power cut) is put aside, so that
 * what it said can be decided again. What is moved may be a newer one that somebody wrote meanwhile: that goes back.
 */
const readRecord = <T>(path: string, isRecord: IsRecord<T>): T | undefined => {
  const record = readWhole(path, isRecord);
  if (record !== 'damaged') return record;
  const aside = moveAside(path);
  const moved = aside === undefined ? undefined : readWhole(aside, isRecord);
  if (aside === undefined || moved === undefined || moved === 'damaged') return undefined;
  moveBack(aside, path);
  return moved;
};

export const readSpec = (folder: string): SpecRecord | undefined =>
  readRecord(join(folder, attemptFiles.spec), isSpecRecord);
export const readResult = (folder: string): ResultRecord | undefined =>
  readRecord(join(folder, attemptFiles.result), isResultRecord);

/**
 * Who holds a run. A claim that cannot be read is a claim all the same, by somebody unknown: whoever made it may be at
 * work, so that nobody else may start the run.
 */
export const readRun = (folder: string): RunRecord | undefined => {
  const path = join(folder, attemptFiles.run);
  const record = readWhole(path, isRunRecord);
  return record === 'damaged' ? unreadClaim(folder, path) : record;
};

const unreadClaim = (folder: string, path: string): RunRecord | undefined => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const spec = readSpec(folder);
  return {
    schemaVersion: 1,
    claimedBy: 'supervisor',
    name: spec?.spec.name ?? '',
    specHash: spec?.hash ?? '',
    host: unknownHost,
    supervisor: { pid: 0, startTime: 0 },
    startedAt: stat.mtime.toISOString(),
  };
};

/**
 * Writes down what is to run, unless that is written; false when that is another run. Lost by a power cut, it is an
 * attempt that cannot start, and there is another: a launch does not wait for the disk.
 */
export const writeSpec = (folder: string, spec: RunSpec): boolean => {
  const record: SpecRecord = { schemaVersion: 1, spec, hash: specHash(spec) };
  for (;;) {
    if (writeOnce(join(folder, attemptFiles.spec), record, { durable: false })) return true;
    const written = readSpec(folder);
    // Undefined: it was damaged, and is out of the way now.
    if (written !== undefined) return written.hash === record.hash;
  }
};

/** Writes how a run ended, unless it is written already; returns what is written. */
export const writeResult = (folder: string, result: ResultRecord): ResultRecord => {
  for (;;) {
    if (writeOnce(join(folder, attemptFiles.result), result)) return result;
    const written = readResult(folder);
    if (written !== undefined) return written;
  }
};

/** Gives the folder its final name. Somebody else may do so at the same moment: one rename wins, the other finds it done. */
export const publish = (place: AttemptPlace): void => {
  try {
    renameSync(place.running, place.published);
  } catch (error) {
    const code = errorCode(error);
    if (!isThere(place.published) || !['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code ?? '')) throw error;
    return;
  }
  syncFolder(dirname(place.published));
};
