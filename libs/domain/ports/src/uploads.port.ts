import type { Upload } from '@fleet/contracts/uploads';

export const UPLOAD_STORE = Symbol('UploadStore');
export const UPLOAD_FILES = Symbol('UploadFiles');

/** What an upload may have that is changed. */
export type UploadChange = Partial<Omit<Upload, 'id' | 'proposal' | 'name' | 'size' | 'version' | 'by'>>;

/**
 * What is known of uploads, over all gateways. All of it ends by itself, by the clock of the store alone. Every implementation passes
 * `uploadStoreContract` in libs/testing.
 */
export interface UploadStore {
  /**
   * Adds one, and counts its size for the day of its proposal.
   * @param forMs milliseconds that it is kept
   * @param mostOfDay bytes of one proposal in 24 hours
   * @returns undefined; or the bytes that are left of the day where they are too few, and nothing is added
   */
  add(upload: Upload, forMs: number, mostOfDay: number): Promise<number | undefined>;
  find(id: string): Promise<Upload | undefined>;
  /** Changes one that nobody has changed since it was read. Gives it as it is now; undefined: somebody has, or it has ended. */
  change(upload: Upload, change: UploadChange, forMs: number): Promise<Upload | undefined>;
  /** Forgets one that nobody has changed since it was read; bytes that are still awaited do not count for the day, those of one that was refused do. False: somebody has. */
  remove(upload: Upload): Promise<boolean>;
  /**
   * Lets one writer work on an upload for so many milliseconds, and the same writer for as long again. It spares others useless work; who
   * stood still for longer is kept from harm by `change` and by having a file of their own.
   */
  hold(id: string, writer: string, forMs: number): Promise<boolean>;
  release(id: string, writer: string): Promise<void>;
}

/** A file that is not whole yet and that one writer alone writes to. The writer closes it. */
export interface IncomingFile {
  /** What an upload has as its `file`. */
  readonly name: string;
  /** Absolute, of the file as it is called now. */
  readonly path: string;
  /** Writes all of it, or fails. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Has the disk keep what was written. */
  keep(): Promise<void>;
  /** Of the whole content, in hex. */
  sha256(): Promise<string>;
  /** Gives it the name of its upload, which nothing else may have. False: something has it. */
  publish(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Files of uploads below one folder: `<root>/<proposal>/<name>`, and until they are whole in `incomingFolder` beside it. No link is followed
 * below the root.
 */
export interface UploadFiles {
  readonly root: string;
  /** Where an upload lies when it is whole. */
  pathOf(upload: Pick<Upload, 'proposal' | 'name'>): string;
  /** Whether something has the name of an upload. */
  isTaken(upload: Pick<Upload, 'proposal' | 'name'>): Promise<boolean>;
  /**
   * The file to continue with: the one that it has where its last writer ended; else another with the same beginning, for who wrote to the first may
   * be about to write still.
   * @returns undefined: the file that it has is gone, or shorter than what is known to be kept
   */
  open(upload: Upload): Promise<IncomingFile | undefined>;
  /** Whether its file has its name already: who gave it could not say so any more. */
  isPublished(upload: Upload): Promise<boolean>;
  /** Removes the remains of an upload, or of that the file of this name alone. */
  clear(upload: Pick<Upload, 'id' | 'proposal'>, only?: string): Promise<void>;
  /** Removes an upload with its file, whole or not. */
  remove(upload: Pick<Upload, 'id' | 'proposal' | 'name' | 'state'>): Promise<void>;
  /**
   * Removes all files of a proposal.
   * @param dryRun nothing is removed
   * @returns how many there are
   */
  removeOf(proposal: string, dryRun: boolean): Promise<number>;
  /** Removes what belongs to no upload of which more is awaited. Gives how many files, and what stood in the way; all else is removed. */
  sweep(
    isAwaited: (id: string) => Promise<boolean>,
  ): Promise<{ readonly removed: number; readonly troubles: readonly unknown[] }>;
}
