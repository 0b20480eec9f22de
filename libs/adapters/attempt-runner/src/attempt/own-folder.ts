import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attemptFiles } from '@fleet/contracts';
import { inFolderSync, throughFoldersSync } from '@fleet/untrusted-files';
import { errorCode, moveAside } from './exclusive-file';

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

const whatStands = (path: string): 'folder' | 'other' | undefined => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  return stat.isDirectory() ? 'folder' : 'other';
};

/** What has the name of an attempt's folder; a link is no folder. Undefined: nothing, or no way there. */
export const whatIs = (folder: string): 'folder' | 'other' | undefined => {
  try {
    return inFolderSync(rootOf(folder), dirname(folder), (at) =>
      whatStands(join(at, folder.slice(dirname(folder).length + 1))),
    );
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'file.is_link'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
};

const ownerMayAll = 0o700;

/** What we may change belongs to us; the rest is found out by whoever uses it. */
const unlock = (path: string): void => {
  const stat = lstatSync(path);
  const mode = stat.mode & 0o7777;
  if (stat.uid === process.getuid?.() && (mode & ownerMayAll) !== ownerMayAll) chmodSync(path, mode | ownerMayAll);
};

/**
 * Makes an attempt's folder with the executor's own folder in it, where they are not. What a program has put in their place is put aside under
 * a name of its own, and folders of ours that it has closed are opened.
 */
export const makeOwnFolder = (folder: string): void => {
  mkdirSync(rootOf(folder), { recursive: true });
  // A cycle's folder may hold other attempts: something else in its place is for the administrator.
  const mine = [basename(folder), basename(attemptFiles.folder)];
  const visit = (at: string): void => {
    if (mine.includes(basename(at)) && whatStands(at) === 'other') moveAside(at, 'aside');
    try {
      mkdirSync(at);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      if (whatStands(at) === 'folder') unlock(at);
    }
  };
  throughFoldersSync(rootOf(folder), join(folder, attemptFiles.folder), visit, () => undefined);
};

/** Opens the folders of ours on the way to an attempt's own folder that a program has closed; nothing is made or put aside. */
export const unlockOwnFolder = (folder: string): void => {
  const visit = (at: string): void => {
    if (whatStands(at) === 'folder') unlock(at);
  };
  try {
    throughFoldersSync(rootOf(folder), join(folder, attemptFiles.folder), visit, () => undefined);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
  }
};
