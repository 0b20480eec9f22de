import { closeSync, fstatSync, readSync } from 'node:fs';
import { Fault } from '@fleet/contracts';
import { openRegular, openRegularSync } from './open-regular';

const tooLarge = (path: string, size: number, maxBytes: number): Fault =>
  new Fault('file.too_large', 'caller', `${path} holds ${String(size)} bytes; at most ${String(maxBytes)} are read.`);

/**
 * The text of a small file that a submitter or a program could have put there. A file that grows meanwhile is read up to the bound.
 * @param maxBytes largest size that is read
 * @throws Fault `file.too_large`, and as `openRegular`
 */
export const readWhole = async (path: string, maxBytes: number): Promise<string> => {
  const file = await openRegular(path);
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

/** `readWhole` for the supervisor of an attempt. */
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
