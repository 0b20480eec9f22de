import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { errnoOf, Fault } from '@fleet/contracts/faults';

/**
 * Follows no link at the last component, and does not block: a pipe without a writer would block for ever, and a
 * terminal would become the controlling one.
 */
export const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

export const notRegular = (path: string): Fault =>
  new Fault('file.not_regular', 'caller', `${path} is not a regular file: it is a folder, pipe, socket or device.`);

export const isLink = (path: string, cause: unknown): Fault =>
  new Fault('file.is_link', 'caller', `${path} is a symbolic link. Links are not followed here.`, { cause });

/** ELOOP: O_NOFOLLOW met a link. ENXIO: a socket, or a device without a driver. */
export const asOpeningFault = (path: string, error: unknown): unknown => {
  const code = errnoOf(error);
  if (code === 'ELOOP') return isLink(path, error);
  return code === 'ENXIO' ? notRegular(path) : error;
};

const check = (path: string, stats: Stats): void => {
  if (!stats.isFile()) throw notRegular(path);
};

/**
 * Opens a file that a submitter or a program could have put there: never through a link at its last component (the
 * folders above it are resolved; if they are untrusted too, use `openUnder`), never blocking, only a regular file. The
 * caller closes it.
 * @throws Fault `file.is_link`, `file.not_regular`; the system's own error (`ENOENT`, `EACCES`) otherwise
 */
export const openRegular = async (path: string): Promise<FileHandle> => {
  let file: FileHandle;
  try {
    file = await open(path, readFlags);
  } catch (error) {
    throw asOpeningFault(path, error);
  }
  try {
    check(path, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** Synchronous `openRegular` for the supervisor of an attempt. Returns a file descriptor. */
export const openRegularSync = (path: string): number => {
  let file: number;
  try {
    file = openSync(path, readFlags);
  } catch (error) {
    throw asOpeningFault(path, error);
  }
  try {
    check(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
};
