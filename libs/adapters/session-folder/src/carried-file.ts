import { randomUUID } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { copyFile, link, lstat, open, rename, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errnoOf, Fault, isFault } from '@fleet/contracts/faults';
import type { FilePin } from '@fleet/contracts/sessions';
import type { CarriedFile } from '@fleet/files';
import { changeOfError, identityOf, openPinned, openUnder, pinDifference, pinOf } from '@fleet/untrusted-files';
import { reasonOf } from './folder-faults';
import type { HeldFolder } from './held-folder';

/** Settings for carrying files over to a fork. */
export interface Carrying {
  readonly workRoot: string;
  /** As link(2). */
  readonly nameAgain: (path: string, name: string) => Promise<void>;
}

/**
 * Errors of a hard link that is impossible: another file system, another owner, no support for links, too many links.
 */
const cannotLink: readonly string[] = ['EXDEV', 'EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

/** A file of a session differs from its record. */
export const changed = (path: string, how: string): Fault =>
  new Fault(
    'fork.file_changed',
    'conflict',
    `${JSON.stringify(path)} is not what the session has recorded: ${how}. Nothing was started; fork from a cycle before the one that made it.`,
  );

/** Opens the file if it is unchanged; otherwise throws the difference. Undefined for a missing log. */
const openCarried = async (
  root: string,
  path: string,
  { pin, isLog }: CarriedFile,
): Promise<FileHandle | string | undefined> => {
  try {
    return await (pin === undefined ? openUnder(root, path) : openPinned(root, path, pin));
  } catch (error) {
    if (isLog && errnoOf(error) === 'ENOENT') return undefined;
    const how = changeOfError(error);
    if (how !== undefined) return how;
    if (isFault(error) || errnoOf(error) === undefined) throw error;
    throw new Fault('storage.unreadable', 'transient', `${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
};

/** False for a missing log, or a missing folder of it. @throws Fault `fork.file_changed` */
export const isThere = async (root: string, path: string, file: CarriedFile): Promise<boolean> => {
  const opened = await openCarried(root, path, file);
  if (typeof opened === 'string') throw changed(path, opened);
  await opened?.close();
  return opened !== undefined;
};

const isSame = (one: BigIntStats, other: BigIntStats): boolean => one.ino === other.ino && one.dev === other.dev;

/** A unique temporary name in the folder, for a file that is renamed when it is complete. */
const ownName = (): string => `.${randomUUID()}`;

/**
 * Gives the open file another name; false if that is impossible there. An existing file of that name is replaced
 * atomically: the fork may use it already, and it is the same file.
 */
const linked = async (
  path: string,
  opened: FileHandle,
  folder: HeldFolder,
  { nameAgain }: Pick<Carrying, 'nameAgain'>,
): Promise<boolean> => {
  const own = ownName();
  try {
    await nameAgain(path, folder.at(own));
  } catch (error) {
    if (cannotLink.includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
  try {
    // Linked by path, which may lead elsewhere since it was opened, so the result is checked.
    if (!isSame(await opened.stat({ bigint: true }), await lstat(folder.at(own), { bigint: true })))
      throw changed(path, 'it was replaced while it was copied');
    await rename(folder.at(own), folder.at(basename(path)));
    return true;
  } finally {
    // A rename between two names of one file does nothing.
    await folder.remove(own);
  }
};

/** The pin of a complete earlier copy in the fork; undefined if there is none. */
const earlierCopy = async (
  opened: FileHandle,
  { pin }: CarriedFile,
  workRoot: string,
  path: string,
): Promise<FilePin | undefined> => {
  const there = await openCarried(workRoot, path, { path, isLog: true });
  if (there === undefined || typeof there === 'string') return undefined;
  try {
    const [made, wanted] = [await pinOf(there), pin ?? (await pinOf(opened))];
    const isOther = wanted.sha256 !== undefined && made.sha256 !== undefined && wanted.sha256 !== made.sha256;
    return isOther || made.size !== wanted.size ? undefined : made;
  } finally {
    await there.close();
  }
};

/** Copies the open file to a new one; blocks are shared if the file system supports it. */
const copyTo = async (target: string, path: string, opened: FileHandle, { pin }: CarriedFile): Promise<FilePin> => {
  const before = await identityOf(opened);
  const source = process.platform === 'linux' ? `/proc/self/fd/${String(opened.fd)}` : path;
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const copy = await open(target, 'r');
  try {
    const made = await pinOf(copy);
    const isOther = pin?.sha256 !== undefined && made.sha256 !== undefined && pin.sha256 !== made.sha256;
    const how = isOther
      ? 'its content has changed, at the same length'
      : pinDifference(before, await identityOf(opened));
    if (how !== undefined) throw changed(path, how);
    await copy.sync();
    return made;
  } finally {
    await copy.close();
  }
};

/** False if the name exists, or if hard links are impossible. */
const namedIfAbsent = async (folder: HeldFolder, own: string, name: string): Promise<boolean> => {
  try {
    await link(folder.at(own), folder.at(name));
    return true;
  } catch (error) {
    if (['EEXIST', ...cannotLink].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
};

/** The fork's copy of the open file. A complete existing copy stays: a session may have pinned it. */
const copied = async (
  path: string,
  opened: FileHandle,
  file: CarriedFile,
  folder: HeldFolder,
  { workRoot }: Pick<Carrying, 'workRoot'>,
): Promise<FilePin> => {
  const [name, own] = [basename(path), ownName()];
  const earlier = (): Promise<FilePin | undefined> => earlierCopy(opened, file, workRoot, join(folder.path, name));
  const there = await earlier();
  if (there !== undefined) return there;
  try {
    const made = await copyTo(folder.at(own), path, opened, file);
    if (await namedIfAbsent(folder, own, name)) return made;
    const theirs = await earlier();
    if (theirs !== undefined) return theirs;
    await rename(folder.at(own), folder.at(name));
    return made;
  } finally {
    await folder.remove(own);
  }
};

/**
 * Adds a file to the folder of the fork.
 * @param path of the file, below the work root
 * @returns the pin of a copy; `missing` for a missing log
 * @throws Fault `fork.file_changed`, `storage.unreadable`; the system's own error otherwise
 */
export const carryFile = async (
  file: CarriedFile,
  path: string,
  folder: HeldFolder,
  way: Carrying,
): Promise<FilePin | 'linked' | 'missing'> => {
  const opened = await openCarried(way.workRoot, path, file);
  if (opened === undefined) return 'missing';
  if (typeof opened === 'string') throw changed(path, opened);
  try {
    return (await linked(path, opened, folder, way)) ? 'linked' : await copied(path, opened, file, folder, way);
  } finally {
    await opened.close();
  }
};
