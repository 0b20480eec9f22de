import { constants, type BigIntStats } from 'node:fs';
import { chmod, chown, copyFile, link, lstat, open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { errnoOf, Fault, isFault, type FilePin, type Session } from '@fleet/contracts';
import { carriedFiles, type CarriedFile } from '@fleet/files';
import type { CarriedFiles } from '@fleet/ports';
import { changeOfError, identityOf, openPinned, openUnder, pinDifference, pinOf } from '@fleet/untrusted-files';
import { asFault, outside, reasonOf } from './folder-faults';
import { sessionFolderPath } from './folder-names';
import { holdFolder, removeEmpty, type HeldFolder } from './held-folder';

/** Where a file of a session gets no second name: on another file system, of another user, on one that knows no links, with too many names. */
const cannotLink: readonly string[] = ['EXDEV', 'EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

const changed = (path: string, how: string): Fault =>
  new Fault(
    'fork.file_changed',
    'conflict',
    `${JSON.stringify(path)} is not what the session has recorded: ${how}. Nothing was started; fork from a cycle before the one that made it.`,
  );

/** The file as it was accepted, or how it differs; undefined for a log that is gone. */
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

/** False of a log that is gone, perhaps with its folder. @throws Fault `fork.file_changed` */
const isThere = async (root: string, path: string, file: CarriedFile): Promise<boolean> => {
  const opened = await openCarried(root, path, file);
  if (typeof opened === 'string') throw changed(path, opened);
  await opened?.close();
  return opened !== undefined;
};

const isSame = (one: BigIntStats, other: BigIntStats): boolean => one.ino === other.ino && one.dev === other.dev;

/** Gives the open file another name; false where it cannot have one there. */
const linked = async (
  path: string,
  opened: FileHandle,
  folder: HeldFolder,
  { nameAgain }: Pick<Way, 'nameAgain'>,
): Promise<boolean> => {
  const name = basename(path);
  try {
    await nameAgain(path, folder.at(name));
  } catch (error) {
    if (cannotLink.includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
  // By its path, which may have led elsewhere since it was opened: what has the name now is what counts.
  if (isSame(await opened.stat({ bigint: true }), await lstat(folder.at(name), { bigint: true }))) return true;
  await folder.remove(name);
  throw changed(path, 'it was replaced while it was being taken over');
};

/** Copies the open file; blocks are shared where the file system can. */
const copied = async (path: string, opened: FileHandle, { pin }: CarriedFile, folder: HeldFolder): Promise<FilePin> => {
  const target = folder.at(basename(path));
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

/** Who may enter a folder is as of the one that it stands for, so that programs of the fork read what is in it. */
const openLike = async (source: string, folder: HeldFolder): Promise<void> => {
  const [like, own] = [await lstat(source), await lstat(folder.at('.'))];
  if (!like.isDirectory()) throw changed(source, 'it is no folder any more');
  if (like.gid !== own.gid) await chown(folder.at('.'), own.uid, like.gid);
  await chmod(folder.at('.'), (like.mode & 0o7777) | 0o700);
};

/** Where files are carried from and to. */
interface Way {
  readonly workRoot: string;
  readonly proposal: string;
  readonly sessionId: string;
  readonly forkId: string;
  /** As link(2). */
  readonly nameAgain: (path: string, name: string) => Promise<void>;
}

/** What was made on the way, to be taken away again. */
interface Made {
  readonly files: { readonly steps: readonly string[]; readonly name: string }[];
  /** For each folder that was held, those that were made for it, the deepest first. */
  readonly folders: (readonly string[])[];
}

/** The folder of the fork that many steps below its own; what is missing is made. The caller closes it. */
const holdIn = async (way: Way, steps: readonly string[], made: Made): Promise<HeldFolder> => {
  const { workRoot, proposal, sessionId, forkId } = way;
  if (steps.length > 1) await (await holdIn(way, steps.slice(0, -1), made)).close();
  const held = await holdFolder(workRoot, [proposal, forkId, ...steps]);
  if (held.made.length === 0) return held.folder;
  made.folders.push(held.made);
  try {
    await openLike(join(sessionFolderPath(workRoot, proposal, sessionId), ...steps), held.folder);
    return held.folder;
  } catch (error) {
    await held.folder.close();
    throw error;
  }
};

const carryOne = async (
  file: CarriedFile,
  path: string,
  folder: HeldFolder,
  way: Way,
): Promise<FilePin | 'linked' | 'missing'> => {
  const opened = await openCarried(way.workRoot, path, file);
  if (opened === undefined) return 'missing';
  if (typeof opened === 'string') throw changed(path, opened);
  try {
    // Of an earlier try that died: nobody has a session with it yet.
    await folder.remove(basename(path));
    return (await linked(path, opened, folder, way)) ? 'linked' : await copied(path, opened, file, folder);
  } finally {
    await opened.close();
  }
};

const drop = async ({ workRoot, proposal, forkId }: Way, { files, folders }: Made): Promise<void> => {
  for (const { steps, name } of files) {
    const { folder } = await holdFolder(workRoot, [proposal, forkId, ...steps]);
    await folder.remove(name);
    await folder.close();
  }
  for (const some of folders.toReversed()) await removeEmpty(some);
};

/** Files by the folder that they lie in, as steps from the session's own. */
const byFolder = (files: readonly CarriedFile[], home: string): ReadonlyMap<string, readonly CarriedFile[]> => {
  const grouped = new Map<string, CarriedFile[]>();
  for (const file of files) {
    const place = relative(home, dirname(file.path));
    if (place.startsWith('..')) throw outside(file.path);
    grouped.set(place, [...(grouped.get(place) ?? []), file]);
  }
  return grouped;
};

/** Files of one folder, each by what it is there now. */
const carryFolder = async (
  way: Way,
  place: string,
  files: readonly CarriedFile[],
  made: Made,
): Promise<readonly (readonly [path: string, pin: FilePin])[]> => {
  const { workRoot, proposal, sessionId, forkId } = way;
  const [from, to] = [sessionFolderPath(workRoot, proposal, sessionId), sessionFolderPath(workRoot, proposal, forkId)];
  const steps = place === '' ? [] : place.split(sep);
  const there: CarriedFile[] = [];
  for (const file of files) if (await isThere(workRoot, join(from, place, basename(file.path)), file)) there.push(file);
  const pins: (readonly [string, FilePin])[] = [];
  if (there.length === 0) return pins;
  const folder = await holdIn(way, steps, made);
  try {
    for (const file of there) {
      const name = basename(file.path);
      const carried = await carryOne(file, join(from, place, name), folder, way);
      if (carried !== 'missing') made.files.push({ steps, name });
      if (typeof carried === 'object') pins.push([join(to, place, name), carried]);
    }
    await folder.sync();
    return pins;
  } finally {
    await folder.close();
  }
};

/**
 * As `SessionFolderPort.carryFiles`.
 * @param workRoot absolute
 * @param nameAgain gives a file a second name; tests say that it cannot have one
 */
export const carryFiles = async (
  workRoot: string,
  session: Session,
  afterCycle: number,
  fork: Pick<Session, 'id' | 'folder'>,
  nameAgain: Way['nameAgain'] = link,
): Promise<CarriedFiles> => {
  const { id: sessionId, request } = session;
  const way = { workRoot, proposal: request.proposal, sessionId, forkId: fork.id, nameAgain };
  const made: Made = { files: [], folders: [] };
  try {
    const pins: (readonly [string, FilePin])[] = [];
    for (const [place, files] of byFolder(carriedFiles(session, afterCycle), session.folder))
      pins.push(...(await carryFolder(way, place, files, made)));
    return { pins: new Map(pins), drop: () => drop(way, made) };
  } catch (error) {
    await drop(way, made);
    throw asFault(error, fork.folder);
  }
};
