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

/** No blocks left, or none that this user may have. */
export const isFullDisk = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '');

/** A name of one's own: process numbers repeat, for in each container they begin at 1. */
const besideOf = (path: string): string => `${path}.${randomUUID()}`;

const textOf = (content: unknown): string => `${JSON.stringify(content, undefined, 1)}\n`;

/**
 * Writes a file that appears whole or not at all, and only if there is none of that name: the first writer wins.
 * Returns false when somebody else was first. Survives a power cut once it has returned, whoever wrote it, unless
 * `durable` is false: for what can be said again, since a disk takes milliseconds for that.
 */
export const writeOnce = (path: string, content: unknown, { durable = true } = {}): boolean => {
  const beside = besideOf(path);
  // Opened before: whoever sees the file may give the folder another name at once.
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

/** As `rmSync` with `force` of what is no folder, at a third of its cost. */
const removeFile = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
};

/**
 * Gives a file a second name; false when that is taken. Over NFS the answer to a link that was made may be lost, and its repetition is
 * told that the name is taken: then the file itself has two names (open(2), on O_EXCL).
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
 * True when files in a folder may have two names, which `writeOnce` needs. CIFS and FAT have no such links.
 * @throws the system's error when nothing can be written there
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

/** What link(2) says where there are none. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** As `writeOnce`, but the last writer wins: only for files with one writer. */
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

/** Makes a file that was not there, so that none is written through a link. */
export const writeDurably = (path: string, text: string): void => {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Makes renames and links in a folder survive a power cut. */
export const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/**
 * Moves a file out of the way; where it is now, or undefined when somebody else was faster.
 * Under a name of its own, for the first one that was moved may be looked into still.
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

/** Takes back what was moved aside, unless there is another file in its place. */
export const moveBack = (aside: string, path: string): void => {
  linkOnce(aside, path);
  rmSync(aside, { force: true });
};

/** Largest record that is read, in bytes; a command of our own is far shorter. */
const maxRecordBytes = 4 * 1024 * 1024;

/** What stands in a record's place and cannot be one: it is put aside like a damaged one. */
const noRecord: ReadonlySet<string> = new Set([
  'file.is_link',
  'file.not_regular',
  'file.too_large',
  'ELOOP',
  'EACCES',
  'EISDIR',
]);

/**
 * The JSON in a file that a program could have put there; undefined when there is no such file. `damaged` when it is not JSON, or no file that
 * may be read: never waited for, no link followed, and bounded.
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

/** The file of that name, when it is one and has no other name; what else stands there is put aside, and nothing is opened. */
const openExisting = (path: string): number | undefined => {
  const file = openSync(path, appending);
  const stat = fstatSync(file);
  if (stat.isFile() && stat.nlink === 1) return file;
  closeSync(file);
  moveAside(path, 'aside');
  return undefined;
};

/** What is said of a link, a folder, a pipe's or a device's other end that stands there. */
const notToBeOpened: ReadonlySet<string> = new Set(['ELOOP', 'EISDIR', 'ENXIO', 'ENODEV', 'EACCES']);

/**
 * Opens a file of ours for appending and reading, and makes it where it is not. Anything else of that name (a link, a pipe, a file with a second
 * name elsewhere) is put aside. The caller closes it.
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
      // Somebody may have taken it away since.
      if (notToBeOpened.has(errnoOf(error) ?? '')) moveAside(path, 'aside');
      else if (errnoOf(error) !== 'ENOENT') throw error;
    }
  }
};
