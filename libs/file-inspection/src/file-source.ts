import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { Fault } from '@fleet/contracts';

/** One regular file, open for reading bounded parts of it. */
export interface FileSource {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Up to `length` bytes from `position`; shorter at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
}

type FileFaultCode = 'missing' | 'empty' | 'unreadable' | 'not_regular' | 'corrupt';

const allowedText: Readonly<Record<FileFaultCode, string>> = {
  missing: 'the path of an existing file',
  empty: 'a file with content',
  unreadable: 'a file that the service may read',
  not_regular: 'a regular file, not a folder, pipe, socket or device',
  corrupt: 'a complete file of its format',
};

/** A Fault of the caller that names the path, the reason and what is allowed. */
export const fileFault = (code: FileFaultCode, path: string, reason: string, cause?: unknown): Fault =>
  new Fault(`file.${code}`, 'caller', `${path}: ${reason}`, {
    problems: [{ field: path, reason, allowed: allowedText[code] }],
    ...(cause === undefined ? {} : { cause }),
  });

const missingCodes: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ERR_INVALID_ARG_VALUE',
]);

const errnoOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';

const translate = (path: string, error: unknown): Fault => {
  const code = errnoOf(error);
  if (missingCodes.has(code)) return fileFault('missing', path, 'there is no such file', error);
  return fileFault('unreadable', path, `it cannot be read (${code})`, error);
};

const checkKind = (path: string, stats: Stats): void => {
  if (stats.isDirectory()) throw fileFault('not_regular', path, 'it is a folder');
  if (!stats.isFile()) throw fileFault('not_regular', path, 'it is a pipe, socket or device');
  if (stats.size === 0) throw fileFault('empty', path, 'it is empty');
};

const attempt = async <T>(path: string, action: () => Promise<T>): Promise<T> => {
  try {
    return await action();
  } catch (error) {
    throw translate(path, error);
  }
};

/** Reads until `length` bytes are there or the file ends: one read may return fewer. */
const readFully = async (handle: FileHandle, position: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
};

/**
 * Opens a file, hands it to `use` and closes it again. Looks before it opens, and opens without waiting: a pipe must never hang the
 * service.
 * @throws Fault `file.missing`, `file.unreadable`, `file.not_regular`, `file.empty`.
 */
export const withFile = async <T>(path: string, use: (source: FileSource) => Promise<T>): Promise<T> => {
  checkKind(path, await attempt(path, () => stat(path)));
  const handle = await attempt(path, () => open(path, constants.O_RDONLY | constants.O_NONBLOCK));
  try {
    const stats = await attempt(path, () => handle.stat());
    checkKind(path, stats);
    const read = (position: number, length: number): Promise<Buffer> =>
      attempt(path, () => readFully(handle, position, length));
    return await use({ path, size: stats.size, read });
  } finally {
    await handle.close();
  }
};
