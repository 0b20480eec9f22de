import type { FileHandle } from 'node:fs/promises';

export interface LogRange {
  readonly bytes: Buffer;
  /** Where `bytes` begin. */
  readonly offset: number;
  readonly nextOffset: number;
  /** Bytes that the log has now; it may grow. */
  readonly size: number;
}

/**
 * Reads a part of a log that may be growing, of any size, and closes it.
 * @param offset bytes from the start; negative: from the end
 * @param limit most bytes to read
 */
export const readLogRange = async (file: FileHandle, offset: number, limit: number): Promise<LogRange> => {
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

/** What can be said of a log that is not there (yet): who asks again continues where they were. */
export const emptyRange = (offset: number): LogRange => {
  const start = Math.max(0, offset);
  return { bytes: Buffer.alloc(0), offset: start, nextOffset: start, size: 0 };
};
