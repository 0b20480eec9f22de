import { open, type FileHandle } from 'node:fs/promises';
import { errnoOf } from '../http/errno';

export interface LogRange {
  readonly bytes: Buffer;
  /** Where `bytes` begin. */
  readonly offset: number;
  readonly nextOffset: number;
  /** Bytes that the log has now; it may grow. */
  readonly size: number;
}

const openIfThere = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/**
 * Reads a part of a log that may be growing, of any size.
 * @param offset bytes from the start; negative: from the end
 * @param limit most bytes to read
 * @returns undefined when there is no such file
 */
export const readLogRange = async (path: string, offset: number, limit: number): Promise<LogRange | undefined> => {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const start = offset < 0 ? Math.max(0, size + offset) : Math.min(offset, size);
    const buffer = Buffer.alloc(Math.min(limit, size - start));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    return { bytes: buffer.subarray(0, bytesRead), offset: start, nextOffset: start + bytesRead, size };
  } finally {
    await file.close();
  }
};
