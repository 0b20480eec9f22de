import type { FileHandle } from 'node:fs/promises';
import { errnoOf, Fault, isFault } from '@fleet/contracts/faults';
import type { LogExcerpt } from '@fleet/model-turns';
import { openUnder } from '@fleet/untrusted-files';

/** Bytes read from each end: more lines than any prompt contains, for programs with readable line lengths. */
const partBytes = 32 * 1024;
const mostLines = 200;

/** Errors of a log that its program has removed or replaced; permanent. */
const lasting: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'];

const nothing: LogExcerpt = { head: [], tail: [], bytes: 0 };

const textAt = async (file: FileHandle, from: number, length: number): Promise<string> => {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, from);
  return buffer.subarray(0, bytesRead).toString('utf8');
};

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');

const excerptOf = async (file: FileHandle): Promise<LogExcerpt> => {
  const { size } = await file.stat();
  const first = linesOf(await textAt(file, 0, Math.min(partBytes, size)));
  const from = Math.max(partBytes, size - partBytes);
  const last = from < size ? linesOf(await textAt(file, from, size - from)) : [];
  // The end of a short log is a part of its beginning.
  return last.length === 0
    ? { head: first.slice(0, mostLines / 2), tail: first.slice(mostLines / 2).slice(-mostLines), bytes: size }
    : { head: first.slice(0, mostLines / 2), tail: last.slice(-mostLines), bytes: size };
};

/**
 * The first and the last lines of a log of any size; empty if there is none.
 * @param root the session's folder; no link below it is followed
 * @throws Fault `log.unreadable` (transient) when the disk fails
 */
export const logExcerpt = async (root: string, path: string): Promise<LogExcerpt> => {
  try {
    const file = await openUnder(root, path);
    try {
      return await excerptOf(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (lasting.includes(errnoOf(error) ?? '') || (isFault(error) && error.code.startsWith('file.'))) return nothing;
    throw new Fault('log.unreadable', 'transient', `${path} cannot be read: ${String(error)}`, { cause: error });
  }
};
