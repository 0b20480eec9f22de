import type { FileHandle } from 'node:fs/promises';

export interface LogRange {
  readonly bytes: Buffer;
  /** Offset of `bytes`. */
  readonly offset: number;
  readonly nextOffset: number;
  /** Current size of the log in bytes; it may grow. */
  readonly size: number;
}

/**
 * Reads a part of a possibly growing log, and closes the file.
 * @param offset bytes from the start; negative: from the end
 * @param limit maximum bytes to read
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

/** The range of a log that does not exist (yet): the client can poll from the same offset. */
export const emptyRange = (offset: number): LogRange => {
  const start = Math.max(0, offset);
  return { bytes: Buffer.alloc(0), offset: start, nextOffset: start, size: 0 };
};
