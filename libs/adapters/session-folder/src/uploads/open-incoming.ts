import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import type { IncomingFile } from '@fleet/ports';
import type { HeldFolder } from '../held-folder';

/** Bytes read at a time: hashing them does not block the event loop for long. */
const chunkBytes = 1024 * 1024;

const sameFile = (one: { readonly dev: bigint; readonly ino: bigint }, other: typeof one): boolean =>
  one.dev === other.dev && one.ino === other.ino;

/** The content of a file up to a position, in chunks that are used before the next is read. */
async function* contentOf(file: FileHandle, until: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(chunkBytes, until)));
  for (let position = 0; position < until;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, until - position), position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** An open file in a proposal's incoming folder; both folders are held open. */
export class OpenIncoming implements IncomingFile {
  constructor(
    private readonly handle: FileHandle,
    private readonly folders: { readonly incoming: HeldFolder; readonly proposal: HeldFolder },
    readonly name: string,
    /** The final name of the upload. */
    private readonly finalName: string,
  ) {}

  get path(): string {
    return join(this.folders.incoming.path, this.name);
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.handle.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  }

  keep(): Promise<void> {
    return this.handle.datasync();
  }

  /** Copies the content of another writer's file up to a position. False: it has fewer bytes. */
  async takeOver(from: FileHandle, until: number): Promise<boolean> {
    let position = 0;
    for await (const piece of contentOf(from, until)) {
      await this.write(piece, position);
      position += piece.length;
    }
    await this.keep();
    return position === until;
  }

  async sha256(): Promise<string> {
    const hash = createHash('sha256');
    const { size } = await this.handle.stat();
    for await (const piece of contentOf(this.handle, size)) hash.update(piece);
    return hash.digest('hex');
  }

  async publish(): Promise<boolean> {
    const { incoming, proposal } = this.folders;
    try {
      await link(incoming.at(this.name), proposal.at(this.finalName));
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false;
      throw error;
    }
    await this.checkPublished();
    await proposal.sync();
    return true;
  }

  async close(): Promise<void> {
    await this.handle.close();
    await this.folders.incoming.close();
    await this.folders.proposal.close();
  }

  /** A hard link is made by name: a user with write access to the incoming folder could have replaced the file. */
  private async checkPublished(): Promise<void> {
    const at = this.folders.proposal.at(this.finalName);
    if (sameFile(await lstat(at, { bigint: true }), await this.handle.stat({ bigint: true }))) return;
    await unlink(at);
    throw new Error(`${this.path} was replaced while it was looked at`);
  }
}

/** A new file with a unique name. */
export const newFlags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
/** An existing file, without blocking on a pipe. */
const oldFlags = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens an existing file.
 * @param least bytes that it must have
 * @returns undefined: it is missing, is not a regular file, has a second name, or is shorter
 */
export const openPlain = async (at: string, least: number): Promise<FileHandle | undefined> => {
  let file: FileHandle | undefined;
  try {
    file = await open(at, oldFlags);
    const stats = await file.stat();
    if (stats.isFile() && stats.nlink === 1 && stats.size >= least) return file;
  } catch (error) {
    if (!['ENOENT', 'ELOOP', 'ENXIO', 'EISDIR'].includes(errnoOf(error) ?? '')) throw error;
  }
  await file?.close();
  return undefined;
};
