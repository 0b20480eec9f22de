import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { attemptFiles } from '@fleet/contracts/runs';
import { inFolderSync, throughFoldersSync } from '@fleet/untrusted-files';
import { moveAside } from './exclusive-file';

/**
 * The session's folder of an attempt's folder (`<session>/c003-refine/a1`). Links above it are the operator's; links
 * below it are never followed.
 */
const rootOf = (folder: string): string => dirname(dirname(folder));

/**
 * Calls `work` in an attempt's folder. Programs of the session may have created links there; none is followed. `at`
 * stays the same folder even if its path is renamed.
 * @throws the system's error if the folder is missing (`ENOENT`) or not a folder (`ENOTDIR`)
 */
export const inAttemptFolder = <T>(folder: string, work: (at: string) => T): T =>
  inFolderSync(rootOf(folder), folder, work);

/** Calls `work` in the executor's own folder inside an attempt's folder; like `inAttemptFolder`. */
export const inOwnFolder = <T>(folder: string, work: (at: string) => T): T =>
  inFolderSync(rootOf(folder), join(folder, attemptFiles.folder), work);

/** A link counts as `other`. Undefined: missing. */
type Standing = 'folder' | 'other' | undefined;

/** Absolute paths of an attempt's folder while its program runs, and once it is published. */
type AttemptFolders = Readonly<Record<'running' | 'published', string>>;
type Standings = Readonly<Record<'running' | 'published', Standing>>;

const whatStands = (path: string): Standing => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  return stat.isDirectory() ? 'folder' : 'other';
};

/** Calls `look` in the folder of an attempt's cycle; undefined if that folder cannot be reached. */
const inCycleFolder = <T>(folder: string, look: (at: string) => T): T | undefined => {
  try {
    return inFolderSync(rootOf(folder), dirname(folder), look);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'file.is_link'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
};

/** What has the name of an attempt's folder; a link counts as `other`. Undefined: missing or unreachable. */
export const whatIs = (folder: string): Standing =>
  inCycleFolder(folder, (at) => whatStands(join(at, basename(folder))));

/**
 * What has the names of an attempt's two folders, looked up in one cycle folder. The running one is checked first,
 * because it becomes the published one and never the other way round. If neither exists, the attempt was never begun.
 */
export const whatStandsOf = ({ running, published }: AttemptFolders): Standings =>
  inCycleFolder(running, (at) => ({
    running: whatStands(join(at, basename(running))),
    published: whatStands(join(at, basename(published))),
  })) ?? { running: undefined, published: undefined };

/** Whether a started attempt has lost both its folders, so that its claim cannot be read. */
export const isTakenAway = (folders: AttemptFolders): boolean => {
  const { running, published } = whatStandsOf(folders);
  return running !== 'folder' && published === undefined;
};

/**
 * Calls `work` in the executor's own folder of a running attempt; undefined if there is none, or the attempt is
 * published.
 */
export const inRunningOwnFolder = <T>({ running, published }: AttemptFolders, work: (at: string) => T): T | undefined =>
  inCycleFolder(running, (at) =>
    whatStands(join(at, basename(published))) === undefined
      ? inFolderSync(at, join(at, basename(running), attemptFiles.folder), work)
      : undefined,
  );

const ownerMayAll = 0o700;

/** Restores access to a folder that belongs to the executor. Others are left: whatever uses them reports the error. */
const unlock = (path: string): void => {
  const stat = lstatSync(path);
  const mode = stat.mode & 0o7777;
  if (stat.uid === process.getuid?.() && (mode & ownerMayAll) !== ownerMayAll) chmodSync(path, mode | ownerMayAll);
};

/** What is done in newly created folders. */
export interface InMadeFolder<T> {
  /** Called with each folder on the path, including those that existed. */
  readonly entered?: (at: string) => void;
  /** In the executor's own folder. */
  readonly work: (at: string) => T;
}

/**
 * Creates an attempt's folder and the executor's own folder in it, unless they exist, and calls `work` there. Anything
 * else at these paths is moved aside. Own folders that a program has locked are unlocked.
 */
export const inMadeFolder = <T>(folder: string, { entered, work }: InMadeFolder<T>): T => {
  mkdirSync(rootOf(folder), { recursive: true });
  // A cycle's folder may hold other attempts, so it is never moved aside: an administrator must fix it.
  const mine = [basename(folder), basename(attemptFiles.folder)];
  const before = (at: string): void => {
    if (isMade(at)) return;
    if (whatStands(at) === 'folder') unlock(at);
    else if (mine.includes(basename(at))) {
      moveAside(at, 'aside');
      isMade(at);
    }
  };
  const way = { before, ...(entered !== undefined && { entered }) };
  return throughFoldersSync(rootOf(folder), join(folder, attemptFiles.folder), way, work);
};

/** Creates a folder; false if that name exists. */
const isMade = (at: string): boolean => {
  try {
    mkdirSync(at);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
};

/** Like `inMadeFolder`, without further work. */
export const makeOwnFolder = (folder: string): void => {
  inMadeFolder(folder, { work: () => undefined });
};

/** Unlocks the executor's folders on the path to an attempt's own folder; creates and moves nothing. */
export const unlockOwnFolder = (folder: string): void => {
  const before = (at: string): void => {
    if (whatStands(at) === 'folder') unlock(at);
  };
  try {
    throughFoldersSync(rootOf(folder), join(folder, attemptFiles.folder), { before }, () => undefined);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) throw error;
  }
};
