import { lstatSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { attemptFiles, runningSuffix, type RunSpec } from '@fleet/contracts/runs';
import type { RunLocation } from '@fleet/ports';
import { unknownHost } from '../processes/process-table';
import { moveAside, moveBack, readJson, syncFolder, writeOnce } from './exclusive-file';
import { inAttemptFolder, inMadeFolder, inOwnFolder, whatIs } from './own-folder';
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
export interface AttemptFolders {
  readonly published: string;
  readonly running: string;
}

export const foldersOf = (run: Pick<RunLocation, 'sessionFolder' | 'attemptFolder'>): AttemptFolders => {
  const published = join(run.sessionFolder, run.attemptFolder);
  return { published, running: `${published}${runningSuffix}` };
};

type IsRecord<T> = (value: unknown) => value is T;

const readAt = <T>(path: string, isRecord: IsRecord<T>): T | 'damaged' | undefined => {
  const content = readJson(path);
  if (content === undefined || content === 'damaged') return content;
  return isRecord(content.value) ? content.value : 'damaged';
};

/** What is read in the executor's own folder; undefined where there is none, or something else in its place. */
const inOwn = <T>(folder: string, read: (at: string) => T): T | undefined => {
  try {
    return inOwnFolder(folder, read);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'file.is_link'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
};

/**
 * Reads a record in the executor's own folder. A damaged one (a disk that promised too much before a power cut, or what a program put in its
 * place) is put aside, so that what it said can be decided again. What is moved may be a newer one that somebody wrote meanwhile: that goes back.
 */
const recordIn = <T>(at: string, file: string, isRecord: IsRecord<T>): T | undefined => {
  const path = join(at, basename(file));
  const record = readAt(path, isRecord);
  if (record !== 'damaged') return record;
  const aside = moveAside(path);
  const moved = aside === undefined ? undefined : readAt(aside, isRecord);
  if (aside === undefined || moved === undefined || moved === 'damaged') return undefined;
  moveBack(aside, path);
  return moved;
};

const specIn = (at: string): SpecRecord | undefined => recordIn(at, attemptFiles.spec, isSpecRecord);
const resultIn = (at: string): ResultRecord | undefined => recordIn(at, attemptFiles.result, isResultRecord);

const claimIn = (at: string): RunRecord | undefined => {
  const path = join(at, basename(attemptFiles.run));
  const record = readAt(path, isRunRecord);
  return record === 'damaged' ? unreadClaim(at, path) : record;
};

const unreadClaim = (at: string, path: string): RunRecord | undefined => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const spec = specIn(at);
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

/** Whether a file is in the executor's own folder `at`; links are not followed. */
export const isIn = (at: string, file: string): boolean =>
  lstatSync(join(at, basename(file)), { throwIfNoEntry: false }) !== undefined;

export const readSpec = (folder: string): SpecRecord | undefined => inOwn(folder, specIn);
export const readResult = (folder: string): ResultRecord | undefined => inOwn(folder, resultIn);

/**
 * Who holds a run. A claim that cannot be read is a claim all the same, by somebody unknown: whoever made it may be at
 * work, so that nobody else may start the run.
 */
export const readRun = (folder: string): RunRecord | undefined => inOwn(folder, claimIn);

/** What the executor's own folder of an attempt holds. */
export interface AttemptRecords {
  readonly result: ResultRecord | undefined;
  readonly run: RunRecord | undefined;
  readonly spec: SpecRecord | undefined;
  readonly handedOver: boolean;
}

/** All of it, of one and the same folder, whatever its path becomes meanwhile; undefined where there is no such folder. */
export const readRecords = (folder: string): AttemptRecords | undefined =>
  inOwn(folder, (at) => ({
    result: resultIn(at),
    run: claimIn(at),
    spec: specIn(at),
    handedOver: isIn(at, attemptFiles.handedOver),
  }));

/** The time of the claim's file, which its supervisor renews, in milliseconds since 1970; undefined when there is no claim any more. */
export const lastSignOfLife = (folder: string): number | undefined =>
  inOwn(folder, (at) => lstatSync(join(at, basename(attemptFiles.run)), { throwIfNoEntry: false })?.mtimeMs);

/** Whether a file is in the executor's own folder of an attempt; links are not followed. */
export const hasOwnFile = (folder: string, file: string): boolean => inOwn(folder, (at) => isIn(at, file)) ?? false;

/**
 * Makes an attempt's folder where it is not, and writes down there what is to run, unless that is written; false when that is another run. Lost
 * by a power cut, it is an attempt that cannot start, and there is another: a launch does not wait for the disk.
 * @param hash `specHash` of the spec
 * @param entered given each folder itself on the way, those that stood there already included
 */
export const prepareAttempt = (
  folder: string,
  spec: RunSpec,
  hash: string,
  entered?: (at: string) => void,
): boolean => {
  const work = (at: string): boolean => writeSpecIn(at, { schemaVersion: 1, spec, hash });
  return inMadeFolder(folder, { work, ...(entered !== undefined && { entered }) });
};

const writeSpecIn = (at: string, record: SpecRecord): boolean => {
  for (;;) {
    if (writeOnce(join(at, basename(attemptFiles.spec)), record, { durable: false })) return true;
    const written = specIn(at);
    // Undefined: it was damaged, and is out of the way now. What it says is compared, not only its word for it.
    if (written !== undefined) return written.hash === record.hash && specHash(written.spec) === record.hash;
  }
};

/** Writes how a run ended, unless it is written already; returns what is written. `isValid`: of what is written; the rest is put aside. */
export const writeResult = (
  folder: string,
  result: ResultRecord,
  isValid: (written: ResultRecord) => boolean = () => true,
): ResultRecord => {
  for (;;) {
    if (inOwnFolder(folder, (at) => writeOnce(join(at, basename(attemptFiles.result)), result))) return result;
    const written = readResult(folder);
    if (written !== undefined && isValid(written)) return written;
    if (written !== undefined) putResultAside(folder);
  }
};

/** Puts a result aside that nobody believes; it is kept. */
const putResultAside = (folder: string): void => {
  inOwn(folder, (at) => moveAside(join(at, basename(attemptFiles.result))));
};

const inTheWay: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR', 'EBUSY']);

/**
 * The one of an attempt's two folders that holds it: the running one as long as somebody holds a claim there, unless there is a published one with
 * its result.
 */
export const folderOf = (
  folders: AttemptFolders,
  isGenuine: (result: ResultRecord) => boolean = () => true,
): string => {
  if (whatIs(folders.published) === undefined) return folders.running;
  const published = readResult(folders.published);
  if (published !== undefined && isGenuine(published)) return folders.published;
  return whatIs(folders.running) === 'folder' && readRun(folders.running) !== undefined
    ? folders.running
    : folders.published;
};

/**
 * Gives the folder its final name. Somebody else may do so at the same moment: one rename wins, the other finds it done. What has that name and
 * is no folder with a result of its own was put there by a program: it is put aside, and kept.
 * @param isGenuine whether a published result is one of this attempt's
 */
export const publish = (folders: AttemptFolders, isGenuine: (result: ResultRecord) => boolean = () => true): void => {
  const parent = dirname(folders.published);
  inAttemptFolder(parent, (at) => {
    for (let tries = 1; ; tries += 1) {
      try {
        renameSync(join(at, basename(folders.running)), join(at, basename(folders.published)));
        break;
      } catch (error) {
        const code = errnoOf(error) ?? '';
        if (code !== 'ENOENT' && !inTheWay.has(code)) throw error;
        if (isPublished(folders, isGenuine)) break;
        if (tries >= publishingTries || whatIs(folders.running) !== 'folder') throw error;
        clearName(folders, at, isGenuine);
      }
    }
    syncFolder(at);
  });
};

/** As often as two who publish at the same moment may be in each other's way, and more. */
const publishingTries = 5;

/** Puts aside what has the published name. Somebody else may have published since it was looked at: then that is what was moved, and it goes back. */
const clearName = (folders: AttemptFolders, at: string, isGenuine: (result: ResultRecord) => boolean): void => {
  const name = basename(folders.published);
  const aside = moveAside(join(at, name), 'aside');
  if (aside === undefined) return;
  if (isOwn(join(dirname(folders.published), basename(aside)), isGenuine)) renameSync(aside, join(at, name));
};

const isOwn = (folder: string, isGenuine: (result: ResultRecord) => boolean): boolean => {
  const result = readResult(folder);
  return result !== undefined && isGenuine(result);
};

/** The running folder is looked at first: once it is gone, whoever took it has published it. */
const isPublished = (folders: AttemptFolders, isGenuine: (result: ResultRecord) => boolean): boolean => {
  const isRunning = whatIs(folders.running) === 'folder';
  return isRunning ? isOwn(folders.published, isGenuine) : readResult(folders.published) !== undefined;
};
