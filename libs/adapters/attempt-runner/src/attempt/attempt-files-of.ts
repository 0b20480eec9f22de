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

/** Absolute paths of an attempt's two folders. Only one of them exists at a time. */
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

/** Reads in the executor's own folder. Undefined if that folder is missing or not a folder. */
const inOwn = <T>(folder: string, read: (at: string) => T): T | undefined => {
  try {
    return inOwnFolder(folder, read);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'file.is_link'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
};

/**
 * Reads a record in the executor's own folder. A damaged record (after a power cut, or replaced by a program) is moved
 * aside, so that it can be written again. If another process wrote a newer one meanwhile, that one is moved back.
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
 * The claim of a run. An unreadable claim still counts, as one by an unknown supervisor: that supervisor may be
 * running, so no other may start the run.
 */
export const readRun = (folder: string): RunRecord | undefined => inOwn(folder, claimIn);

/** The records in the executor's own folder of an attempt. */
export interface AttemptRecords {
  readonly result: ResultRecord | undefined;
  readonly run: RunRecord | undefined;
  readonly spec: SpecRecord | undefined;
  readonly handedOver: boolean;
}

/** All records, read from one folder even if it is renamed meanwhile. Undefined if there is no such folder. */
export const readRecords = (folder: string): AttemptRecords | undefined =>
  inOwn(folder, (at) => ({
    result: resultIn(at),
    run: claimIn(at),
    spec: specIn(at),
    handedOver: isIn(at, attemptFiles.handedOver),
  }));

/**
 * Modification time of the claim file, which the supervisor renews, in milliseconds since 1970. Undefined if there is
 * no claim.
 */
export const lastSignOfLife = (folder: string): number | undefined =>
  inOwn(folder, (at) => lstatSync(join(at, basename(attemptFiles.run)), { throwIfNoEntry: false })?.mtimeMs);

/** Whether a file is in the executor's own folder of an attempt; links are not followed. */
export const hasOwnFile = (folder: string, file: string): boolean => inOwn(folder, (at) => isIn(at, file)) ?? false;

/**
 * Creates an attempt's folder and writes its spec there, unless they exist. Returns false if another spec is written
 * there. The spec is not synced to disk: if a power cut loses it, this attempt cannot start and is replaced by another
 * one.
 * @param hash `specHash` of the spec
 * @param entered called with each folder on the path, including those that existed
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
    // Undefined: it was damaged and is moved aside now. The content is compared, not only the stored hash.
    if (written !== undefined) return written.hash === record.hash && specHash(written.spec) === record.hash;
  }
};

/**
 * Writes how a run ended, unless that is written; returns the record on disk. `isValid`: whether an existing record
 * counts; an invalid one is moved aside.
 */
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

/** Moves a result aside that does not count, and keeps it. */
const putResultAside = (folder: string): void => {
  inOwn(folder, (at) => moveAside(join(at, basename(attemptFiles.result))));
};

const inTheWay: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR', 'EBUSY']);

/**
 * Which of the two folders holds the attempt: the running one while it contains a claim, unless a published one with
 * the attempt's result exists.
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
 * Gives the folder its final name. Two processes may publish at the same moment: one rename wins, and the other finds
 * it done. Anything else with that name was created by a program, and is moved aside and kept.
 * @param isGenuine whether a published result belongs to this attempt
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

/** More tries than two processes that publish at the same moment can need. */
const publishingTries = 5;

/** Moves aside what has the published name. If another process published in between, its folder is moved back. */
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

/** Checks the running folder first: if it is missing, another process has published it. */
const isPublished = (folders: AttemptFolders, isGenuine: (result: ResultRecord) => boolean): boolean => {
  const isRunning = whatIs(folders.running) === 'folder';
  return isRunning ? isOwn(folders.published, isGenuine) : readResult(folders.published) !== undefined;
};
