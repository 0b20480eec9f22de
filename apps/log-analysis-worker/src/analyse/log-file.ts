import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Fault } from '@fleet/contracts';
import type { LogReader, LogReading } from '@fleet/log-parsing';

/** Parsed at one go, in bytes: some ten milliseconds, after which the process can do other things. */
const chunkSize = 524_288;

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  (error.code === 'ENOENT' || error.code === 'ENOTDIR');

const unreadable = (path: string, cause: unknown): Fault =>
  new Fault('log.unreadable', 'transient', `${path} cannot be read: ${String(cause)}`, { cause });

/** The log, or undefined where the program never got as far as having one. Not followed if it was replaced by a link. */
const openLog = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(path, error);
  }
};

const feed = async (handle: FileHandle, reader: LogReader): Promise<void> => {
  const buffer = Buffer.alloc(chunkSize);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, chunkSize);
    if (bytesRead === 0) return;
    reader.push(buffer.subarray(0, bytesRead));
  }
};

/**
 * Reads a log of any size with one small buffer; between chunks the event loop is free, so that a log of 1 GB holds up nobody.
 * A log that is not there reads as an empty one.
 * @throws Fault `log.unreadable` (transient)
 */
export const readLogFile = async (path: string, reader: LogReader): Promise<LogReading> => {
  const handle = await openLog(path);
  if (handle === undefined) return reader.end();
  try {
    await feed(handle, reader);
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await handle.close();
  }
  return reader.end();
};
