import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { attemptFiles, isExecutorFile } from '@fleet/contracts/runs';
import type { Outcome } from '../attempt/ending-words';

/** Files up to this size in bytes are kept for troubleshooting. */
const smallBytes = 1024 * 1024;
/** Limits for all kept files together: many small files fill a disk as well. */
const most = { bytes: 16 * 1024 * 1024, files: 1_000 } as const;
/** Bytes kept at the end of a long log. */
const tailBytes = 256 * 1024;

/** What was removed. */
interface Removed {
  files: number;
  bytes: number;
}

const pathsIn = function* (folder: string, below = ''): Generator<string> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (isExecutorFile(path)) continue;
    if (entry.isDirectory()) yield* pathsIn(folder, path);
    else if (entry.isFile()) yield path;
  }
};

const removeOutputs = (folder: string, removed: Removed): void => {
  const remaining = { files: 0, bytes: 0 };
  for (const path of pathsIn(folder)) {
    const { size } = lstatSync(join(folder, path));
    if (size <= smallBytes && remaining.files < most.files && remaining.bytes + size <= most.bytes) {
      remaining.files += 1;
      remaining.bytes += size;
      continue;
    }
    rmSync(join(folder, path));
    removed.files += 1;
    removed.bytes += size;
  }
};

/** In place: a second file may not fit on the disk. */
const cutLog = (path: string, removed: Removed): void => {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  const log = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(log);
    if (!stats.isFile() || stats.size <= smallBytes) return;
    const tail = Buffer.alloc(tailBytes);
    const cut = stats.size - readSync(log, tail, 0, tailBytes, stats.size - tailBytes);
    ftruncateSync(log, 0);
    const note = Buffer.from(`[${String(cut)} bytes were removed here because the disk was full]\n`);
    writeSync(log, Buffer.concat([note, tail]), 0, note.length + tail.length, 0);
    removed.bytes += cut;
  } finally {
    closeSync(log);
  }
};

/** What a program has locked stays, and must not cost its result. */
const trying = (act: () => void): void => {
  try {
    act();
  } catch (error) {
    console.error(error);
  }
};

const inMebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

/**
 * Removes the output of an attempt that failed on a full disk, except for small files and the end of the log. The
 * output is useless, and the next attempt would also find the disk full.
 * @returns the outcome, including what was removed
 */
export const withRoomMade = (outcome: Outcome, folder: string): Outcome => {
  if (outcome.kind !== 'disk_full') return outcome;
  const removed: Removed = { files: 0, bytes: 0 };
  trying(() => removeOutputs(folder, removed));
  trying(() => cutLog(join(folder, attemptFiles.log), removed));
  if (removed.bytes === 0) return outcome;
  const what = `${String(removed.files)} file${removed.files === 1 ? '' : 's'}, ${inMebibytes(removed.bytes)} MiB with what its log held`;
  const words = `What it had written was removed to make room (${what}); small files and the end of its log are kept.`;
  return { ...outcome, message: `${outcome.message} ${words}` };
};
