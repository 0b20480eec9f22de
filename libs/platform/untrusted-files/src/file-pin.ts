import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { FilePin } from '@fleet/contracts/sessions';

/** Identity of a file without its content. */
export type FileIdentity = Omit<FilePin, 'sha256'>;

/** Larger files are not hashed for their pin, in bytes: that would cost more than the rest of a submission. */
const hashedUpTo = 64 * 1024 * 1024;
const chunkBytes = 256 * 1024;

export const identityOf = async (file: FileHandle): Promise<FileIdentity> => {
  const { ino, size, mtimeNs } = await file.stat({ bigint: true });
  return { inode: String(ino), size: Number(size), modified: String(mtimeNs) };
};

const digestOf = async (file: FileHandle, size: number): Promise<string> => {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(Math.min(chunkBytes, size));
  for (let position = 0; position < size;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - position), position);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return hash.digest('hex');
};

/** The pin that identifies an open file; with a hash of its content up to 64 MiB. */
export const pinOf = async (file: FileHandle): Promise<FilePin> => {
  const identity = await identityOf(file);
  return identity.size > hashedUpTo ? identity : { ...identity, sha256: await digestOf(file, identity.size) };
};

const timeOf = (nanoseconds: string): string => new Date(Number(BigInt(nanoseconds) / 1_000_000n)).toISOString();

/**
 * How a file differs from the pinned one, as text that follows its name and a colon; undefined if it is the same. Equal
 * content means the same file, even as a new copy; without a content hash, inode, size and time must be equal.
 */
export const pinDifference = (pin: FilePin, found: FilePin): string | undefined => {
  if (found.size !== pin.size) return `it had ${String(pin.size)} bytes and now has ${String(found.size)}`;
  if (pin.sha256 !== undefined && found.sha256 !== undefined) {
    return pin.sha256 === found.sha256 ? undefined : 'its content has changed, at the same length';
  }
  if (found.inode !== pin.inode) return 'it was replaced by another file of the same name and length';
  return found.modified === pin.modified ? undefined : `it was written to at ${timeOf(found.modified)}`;
};
