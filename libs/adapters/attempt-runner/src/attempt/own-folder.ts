import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { attemptFiles } from '@fleet/contracts/runs';
import { inFolderSync, throughFoldersSync } from '@fleet/untrusted-files';
import { moveAside } from './exclusive-file';

/** The session's folder of an attempt's folder (`<session>/c003-refine/a1`): links above it are the operator's, none below it is followed. */
const rootOf = (folder: string): string => dirname(dirname(folder));

/**
 * Works in an attempt's folder, to which programs of its session may have put links: none is followed. `at` is the folder itself, whatever its
 * path becomes meanwhile.
 * @throws the system's error when there is no such folder (`ENOENT`), or something else in its place (`ENOTDIR`)
 */
export const inAttemptFolder = <T>(folder: string, work: (at: string) => T): T =>
  inFolderSync(rootOf(folder), folder, work);

/** Works in the executor's own folder inside an attempt's folder; as `inAttemptFolder`. */
export const inOwnFolder = <T>(folder: string, work: (at: string) => T): T =>
  inFolderSync(rootOf(folder), join(folder, attemptFiles.folder), work);

/** A link is no folder. Undefined: nothing. */
type Standing = 'folder' | 'other' | undefined;

/** Absolute paths of an attempt's folder while its program runs, and once it is published. */
type AttemptFolders = Readonly<Record<'running' | 'published', string>>;
type Standings = Readonly<Record<'running' | 'published', Standing>>;

const whatStands = (path: string): Standing => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  return stat.isDirectory() ? 'folder' : 'other';
};

/** What is done in the folder of an attempt's cycle; undefined where there is no way there. */
const inCycleFolder = <T>(folder: string, look: (at: string) => T): T | undefined => {
  try {
    return inFolderSync(rootOf(folder), dirname(folder), look);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'file.is_link'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
};

/** What has the name of an attempt's folder; a link is no folder. Undefined: nothing, or no way there. */
export const whatIs = (folder: string): Standing =>
  inCycleFolder(folder, (at) => whatStands(join(at, basename(folder))));

/**
 * What has the names of an attempt's two folders, by one way there. The running one is looked at first, because it becomes the published one and
 * never the other way round: where neither stands, the attempt was never begun.
 */
export const whatStandsOf = ({ running, published }: AttemptFolders): Standings =>
  inCycleFolder(running, (at) => ({
    running: whatStands(join(at, basename(running))),
    published: whatStands(join(at, basename(published))),
  })) ?? { running: undefined, published: undefined };

/** Of an attempt that was started: it has neither of its folders any more, so that what was claimed there nobody can read. */
export const isTakenAway = (folders: AttemptFolders): boolean => {
  const { running, published } = whatStandsOf(folders);
  return running !== 'folder' && published === undefined;
};

/** Works in the executor's own folder of an attempt's running one; undefined where there is none, or the attempt is published. */
export const inRunningOwnFolder = <T>({ running, published }: AttemptFolders, work: (at: string) => T): T | undefined =>
  inCycleFolder(running, (at) =>
    whatStands(join(at, basename(published))) === undefined
      ? inFolderSync(at, join(at, basename(running), attemptFiles.folder), work)
      : undefined,
  );

const ownerMayAll = 0o700;

/** What we may change belongs to us; the rest is found out by whoever uses it. */
const unlock = (path: string): void => {
  const stat = lstatSync(path);
  const mode = stat.mode & 0o7777;
  if (stat.uid === process.getuid?.() && (mode & ownerMayAll) !== ownerMayAll) chmodSync(path, mode | ownerMayAll);
};

/** What is done in folders that are made here. */
export interface InMadeFolder<T> {
  /** With each folder itself on the way, those that stood there already included. */
  readonly entered?: (at: string) => void;
  /** In the executor's own folder. */
  readonly work: (at: string) => T;
}

/**
 * Makes an attempt's folder with the executor's own folder in it, where they are not, and works there. What a program has put in their place is
 * put aside under a name of its own, and folders of ours that it has closed are opened.
 */
export const inMadeFolder = <T>(folder: string, { entered, work }: InMadeFolder<T>): T => {
  mkdirSync(rootOf(folder), { recursive: true });
  // A cycle's folder may hold other attempts: something else in its place is for the administrator.
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

/** Makes a folder; false when something has that name. */
const isMade = (at: string): boolean => {
  try {
    mkdirSync(at);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
};

/** As `inMadeFolder`, with nothing to do there. */
export const makeOwnFolder = (folder: string): void => {
  inMadeFolder(folder, { work: () => undefined });
};

/** Opens the folders of ours on the way to an attempt's own folder that a program has closed; nothing is made or put aside. */
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
