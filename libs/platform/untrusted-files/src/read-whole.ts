import { closeSync, fstatSync, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Fault } from '@fleet/contracts/faults';
import { openRegular, openRegularSync } from './open-regular';
import { openUnder } from './open-under';

const tooLarge = (path: string, size: number, maxBytes: number): Fault =>
  new Fault('file.too_large', 'caller', `${path} holds ${String(size)} bytes; at most ${String(maxBytes)} are read.`);

/** Closes the file. */
const readAll = async (file: FileHandle, path: string, maxBytes: number): Promise<string> => {
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw tooLarge(path, size, maxBytes);
    const buffer = Buffer.alloc(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await file.read(buffer, filled, size - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.toString('utf8', 0, filled);
  } finally {
    await file.close();
  }
};

/**
 * The text of a small file that a submitter or a program could have put there. A growing file is read up to the limit.
 * @param maxBytes maximum size
 * @throws Fault `file.too_large`, and as `openRegular`
 */
export const readWhole = async (path: string, maxBytes: number): Promise<string> =>
  readAll(await openRegular(path), path, maxBytes);

/** Like `readWhole`, without following links below the root, like `openUnder`. */
export const readWholeUnder = async (root: string, path: string, maxBytes: number): Promise<string> =>
  readAll(await openUnder(root, path), path, maxBytes);

/** Synchronous `readWhole` for the supervisor of an attempt. */
export const readWholeSync = (path: string, maxBytes: number): string => {
  const file = openRegularSync(path);
  try {
    const { size } = fstatSync(file);
    if (size > maxBytes) throw tooLarge(path, size, maxBytes);
    const buffer = Buffer.alloc(size);
    let filled = 0;
    while (filled < size) {
      const bytesRead = readSync(file, buffer, filled, size - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.toString('utf8', 0, filled);
  } finally {
    closeSync(file);
  }
};
