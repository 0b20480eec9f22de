import type { FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf, Fault, isFault } from '@fleet/contracts/faults';
import type { LogReader, LogReading } from '@fleet/log-parsing';
import { openUnder } from '@fleet/untrusted-files';
import { logParts, type LogPart } from './log-parts';

/** Bytes parsed at once: some ten milliseconds, after which the event loop is free. */
const chunkSize = 524_288;
/** Timeout of one read, for a file system that does not respond, in milliseconds. */
const readTimeoutMs = 60_000;
const line = Buffer.from('\n');

export interface LogBounds {
  /** Maximum bytes read: what a program may write to its log before it is ended. */
  readonly maxBytes: number;
  /** Time limit, in milliseconds. */
  readonly maxMs: number;
  /** Checked between chunks; true if the result is no longer needed. */
  readonly isUnwanted: () => Promise<boolean>;
}

export interface ReadLog {
  readonly reading: LogReading;
  /** One sentence for each reason why parts were skipped. */
  readonly cuts: readonly string[];
}

export const unwantedCode = 'analyse.unwanted';
/** The analysis is no longer needed: its session was cancelled, or has moved on. */
export const unwanted = (): Fault => new Fault(unwantedCode, 'transient', 'the session has moved on');

const unreadable = (path: string, cause: unknown): Fault =>
  new Fault('log.unreadable', 'transient', `${path} cannot be read: ${String(cause)}`, { cause });

/** Errors of a log that its program has removed, locked or replaced; permanent. */
const lasting: Readonly<Record<string, string>> = {
  'file.is_link': 'it was replaced by a symbolic link',
  'file.not_regular': 'it is not a regular file',
  'file.outside_root': 'it is outside the folder of its session',
  ENOTDIR: 'part of its path is not a folder',
  ELOOP: 'it was replaced by a symbolic link',
  EACCES: 'the analysis may not read it',
};

/** Undefined if the program never created a log. */
const openLog = async (root: string, path: string): Promise<FileHandle | string | undefined> => {
  try {
    return await inTime(path, openUnder(root, path));
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (code === 'ENOENT') return undefined;
    const why = lasting[code];
    if (why === undefined) throw isFault(error) ? error : unreadable(path, error);
    return `The log of the program was not read: ${why}.`;
  }
};

/** @throws Fault `log.unreadable` if the file system does not respond */
const inTime = async <T>(path: string, work: Promise<T>): Promise<T> => {
  const early = new AbortController();
  const late = sleep(readTimeoutMs, 'late' as const, { signal: early.signal, ref: false }).catch(() => 'late' as const);
  try {
    const first = await Promise.race([work.then((value) => ({ value })), late]);
    if (first === 'late') throw unreadable(path, `no answer within ${readTimeoutMs / 1_000} s`);
    return first.value;
  } finally {
    early.abort();
  }
};

/** False if the time limit was reached before the end of the part. */
const feed = async (
  handle: FileHandle,
  { path, part, until }: { readonly path: string; readonly part: LogPart; readonly until: number },
  reader: LogReader,
  { isUnwanted }: LogBounds,
): Promise<boolean> => {
  const buffer = Buffer.alloc(chunkSize);
  for (let at = part.from; at < part.to;) {
    if (performance.now() > until) return false;
    if (await isUnwanted()) throw unwanted();
    const length = Math.min(chunkSize, part.to - at);
    const { bytesRead } = await inTime(path, handle.read(buffer, 0, length, at));
    if (bytesRead === 0) return true;
    reader.push(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return true;
};

const readParts = async (handle: FileHandle, path: string, reader: LogReader, bounds: LogBounds): Promise<string[]> => {
  const { size, blocks } = await inTime(path, handle.stat());
  const { parts, cut } = logParts(size, blocks * 512, bounds.maxBytes);
  const until = performance.now() + bounds.maxMs;
  const cuts = cut === undefined ? [] : [cut];
  for (const [index, part] of parts.entries()) {
    // The gap ends one line and begins another.
    if (index > 0) reader.push(line);
    if (await feed(handle, { path, part, until }, reader, bounds)) continue;
    cuts.push(`The log could not be read in ${bounds.maxMs / 1_000} s; the rest was omitted.`);
    break;
  }
  return cuts;
};

/**
 * Reads a log of any size with one small buffer. Between chunks the event loop is free, so that a log of 1 GB delays
 * nothing else. If a log is larger than a program may write, its beginning and its end are read. A missing log counts
 * as empty.
 * @param root the session's folder; no link below it is followed
 * @throws Fault `log.unreadable` (transient), `analyse.unwanted` if the result is no longer needed
 */
export const readLogFile = async (
  root: string,
  path: string,
  reader: LogReader,
  bounds: LogBounds,
): Promise<ReadLog> => {
  const handle = await openLog(root, path);
  if (handle === undefined) return { reading: reader.end(), cuts: [] };
  if (typeof handle === 'string') return { reading: reader.end(), cuts: [handle] };
  try {
    const cuts = await readParts(handle, path, reader, bounds);
    return { reading: reader.end(), cuts };
  } catch (error) {
    throw isFault(error) ? error : unreadable(path, error);
  } finally {
    await handle.close();
  }
};
