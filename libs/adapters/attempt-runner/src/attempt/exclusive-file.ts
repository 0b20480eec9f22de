import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { readWholeSync } from '@fleet/untrusted-files';

/** No free blocks, or the user's quota is exhausted. */
export const isFullDisk = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '');

/** A unique name. The process id is not enough: in each container ids begin at 1. */
const besideOf = (path: string): string => `${path}.${randomUUID()}`;

const textOf = (content: unknown): string => `${JSON.stringify(content, undefined, 1)}\n`;

/**
 * Writes a file atomically, and only if none of that name exists: the first writer wins. Returns false if another
 * writer was first. On return the file survives a power cut, whichever process wrote it, unless `durable` is false. Use
 * that for content that can be written again: a sync takes milliseconds.
 */
export const writeOnce = (path: string, content: unknown, { durable = true } = {}): boolean => {
  const beside = besideOf(path);
  // Opened first: a process that sees the file may rename the folder at once.
  const folder = durable ? openSync(dirname(path), 'r') : undefined;
  try {
    if (durable) writeDurably(beside, textOf(content));
    else writeFileSync(beside, textOf(content), { flag: 'wx' });
    const isFirst = linkOnce(beside, path);
    if (folder !== undefined) fsyncSync(folder);
    return isFirst;
  } finally {
    removeFile(beside);
    if (folder !== undefined) closeSync(folder);
  }
};

/** Like `rmSync` with `force` for a path that is not a folder, at a third of the cost. */
const removeFile = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
};

/**
 * Gives a file a second name; false if that name exists. Over NFS the reply to a successful link may be lost, and the
 * retry reports that the name exists. The file then has two names (open(2), on O_EXCL).
 */
const linkOnce = (file: string, name: string): boolean => {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return lstatSync(file).nlink > 1;
    throw error;
  }
};

/**
 * Whether the folder supports hard links, which `writeOnce` needs. CIFS and FAT do not.
 * @throws the system's error if the folder is not writable
 */
export const hasHardLinks = (folder: string): boolean => {
  const probe = besideOf(join(folder, '.phenix-fleet-links'));
  writeFileSync(probe, '');
  try {
    linkSync(probe, `${probe}.second`);
    return true;
  } catch (error) {
    if (withoutLinks.has(errnoOf(error) ?? '')) return false;
    throw error;
  } finally {
    rmSync(`${probe}.second`, { force: true });
    rmSync(probe, { force: true });
  }
};

/** Errors of link(2) on file systems without hard links. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Like `writeOnce`, but the last writer wins: only for files with one writer. */
export const replaceFile = (path: string, content: unknown): void => {
  const beside = besideOf(path);
  try {
    writeDurably(beside, textOf(content));
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
};

/** Creates a new file, so that nothing is written through a link. */
export const writeDurably = (path: string, text: string): void => {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Syncs renames and links in a folder to the disk. */
export const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/**
 * Moves a file aside under a unique name. Returns the new path, or undefined if another process moved it first. The
 * name is unique because a process may still read a file that was moved before.
 */
export const moveAside = (path: string, as: 'damaged' | 'aside' = 'damaged'): string | undefined => {
  const aside = `${besideOf(path)}.${as}`;
  try {
    renameSync(path, aside);
    return aside;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** Moves a file back, unless another file has taken its name. */
export const moveBack = (aside: string, path: string): void => {
  linkOnce(aside, path);
  rmSync(aside, { force: true });
};

/** Largest record that is read, in bytes; the executor's own commands are far shorter. */
const maxRecordBytes = 4 * 1024 * 1024;

/** Errors of a path that cannot be a record: it is moved aside like a damaged record. */
const noRecord: ReadonlySet<string> = new Set([
  'file.is_link',
  'file.not_regular',
  'file.too_large',
  'ELOOP',
  'EACCES',
  'EISDIR',
]);

/**
 * The JSON in a file that a program could have replaced; undefined if there is no such file. `damaged` if it is not
 * JSON or not a regular file. The read never blocks, follows no link and is limited in size.
 */
export const readJson = (path: string): { readonly value: unknown } | 'damaged' | undefined => {
  let text: string;
  try {
    text = readWholeSync(path, maxRecordBytes);
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (noRecord.has(code)) return 'damaged';
    throw error;
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return 'damaged';
  }
};

const appending =
  constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Opens the file of that name if it is a regular file with one name. Anything else is moved aside unopened. */
const openExisting = (path: string): number | undefined => {
  const file = openSync(path, appending);
  const stat = fstatSync(file);
  if (stat.isFile() && stat.nlink === 1) return file;
  closeSync(file);
  moveAside(path, 'aside');
  return undefined;
};

/** Errors of open(2) for a link, a folder, a pipe or a device. */
const notToBeOpened: ReadonlySet<string> = new Set(['ELOOP', 'EISDIR', 'ENXIO', 'ENODEV', 'EACCES']);

/**
 * Opens one of the executor's files for appending and reading; creates it if missing. Anything else of that name (a
 * link, a pipe, a file with a second name) is moved aside. The caller closes it.
 */
export const openToAppend = (path: string): number => {
  for (;;) {
    try {
      return openSync(path, appending | constants.O_CREAT | constants.O_EXCL, 0o666);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
    try {
      const file = openExisting(path);
      if (file !== undefined) return file;
    } catch (error) {
      // Another process may have removed it since.
      if (notToBeOpened.has(errnoOf(error) ?? '')) moveAside(path, 'aside');
      else if (errnoOf(error) !== 'ENOENT') throw error;
    }
  }
};
