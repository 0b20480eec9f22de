import { createHash } from 'node:crypto';
import { constants, rmSync } from 'node:fs';
import { chmod, copyFile, open, type FileHandle } from 'node:fs/promises';
import { pinOf } from '@fleet/untrusted-files';

/** Readable by the program and by the group. */
const inputMode = 0o440;
const chunkBytes = 1024 * 1024;
const nothing = Buffer.alloc(chunkBytes);

/** The original could not be read; the cause says why. Other errors come from the target disk. */
export class UnreadableInput extends Error {
  override readonly name = 'UnreadableInput';
}

export interface CopyOrder {
  readonly source: FileHandle;
  /** Bytes. */
  readonly size: number;
  /** Absolute; must not exist yet. */
  readonly target: string;
  readonly hash: boolean;
  /** Checked between chunks; true stops the copy. */
  readonly isStopped: () => boolean;
}

/**
 * Shares the blocks of the original on file systems with reflinks, which takes constant time. Returns false if that is
 * not supported.
 */
const clone = async ({ source, target }: CopyOrder): Promise<boolean> => {
  try {
    // The open file itself: its path may point elsewhere now.
    const original = `/proc/self/fd/${String(source.fd)}`;
    await copyFile(original, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    // Whatever the error is, the plain copy meets it again and reports it.
    rmSync(target, { force: true });
    return false;
  }
};

const readPiece = async (source: FileHandle, buffer: Buffer, position: number, size: number): Promise<Buffer> => {
  try {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, size - position), position);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    throw new UnreadableInput('the file could not be read', { cause });
  }
};

/** A single write may be partial. */
const writePiece = async (file: FileHandle, piece: Buffer, position: number): Promise<void> => {
  for (let written = 0; written < piece.length;) {
    written += (await file.write(piece, written, piece.length - written, position + written)).bytesWritten;
  }
};

/** Copies sparse files without filling holes: a file can claim to be larger than any disk. */
const copyPieces = async ({ source, size, hash, isStopped }: CopyOrder, copy: FileHandle): Promise<string> => {
  const digest = createHash('sha256');
  const buffer = Buffer.alloc(Math.min(chunkBytes, size));
  for (let position = 0; position < size && !isStopped();) {
    const piece = await readPiece(source, buffer, position, size);
    if (piece.length === 0) break;
    if (hash) digest.update(piece);
    if (!piece.equals(nothing.subarray(0, piece.length))) await writePiece(copy, piece, position);
    position += piece.length;
  }
  await copy.truncate(size);
  return digest.digest('hex');
};

/**
 * Copies an open file with bounded memory. The copy is read-only.
 * @returns the SHA-256 of the copied bytes, in hexadecimal, if requested
 * @throws UnreadableInput; the system's error of the target disk (`ENOSPC`)
 */
export const copyOpenFile = async (order: CopyOrder): Promise<string | undefined> => {
  if (await clone(order)) {
    await chmod(order.target, inputMode);
    return order.hash ? await digestOfCopy(order.target) : undefined;
  }
  const copy = await open(order.target, 'wx', 0o640);
  try {
    const digest = await copyPieces(order, copy);
    await copy.chmod(inputMode);
    return order.hash ? digest : undefined;
  } finally {
    await copy.close();
  }
};

const digestOfCopy = async (path: string): Promise<string | undefined> => {
  const copy = await open(path, 'r');
  try {
    return (await pinOf(copy)).sha256;
  } finally {
    await copy.close();
  }
};
