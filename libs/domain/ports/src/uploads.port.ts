import type { Upload } from '@fleet/contracts/uploads';

export const UPLOAD_STORE = Symbol('UploadStore');
export const UPLOAD_FILES = Symbol('UploadFiles');

/** The fields of an upload that may change. */
export type UploadChange = Partial<Omit<Upload, 'id' | 'proposal' | 'name' | 'size' | 'version' | 'by'>>;

/**
 * The state of uploads, shared by all gateways. Entries expire, only by the clock of the store. Every implementation passes
 * `uploadStoreContract` in libs/testing.
 */
export interface UploadStore {
  /**
   * Adds an upload, and charges its size to the daily quota of its proposal.
   * @param forMs lifetime in milliseconds
   * @param mostOfDay bytes of one proposal in 24 hours
   * @returns undefined; or the remaining quota if it is too small, and nothing is added
   */
  add(upload: Upload, forMs: number, mostOfDay: number): Promise<number | undefined>;
  find(id: string): Promise<Upload | undefined>;
  /** Changes an upload that is unchanged since it was read, and returns the new state; undefined: it was changed meanwhile, or has ended. */
  change(upload: Upload, change: UploadChange, forMs: number): Promise<Upload | undefined>;
  /**
   * Deletes an upload that is unchanged since it was read. Bytes that did not arrive are no longer charged to the day, those of a rejected
   * upload are. False: it was changed meanwhile.
   */
  remove(upload: Upload): Promise<boolean>;
  /**
   * Leases an upload to one writer for this many milliseconds; the same writer may extend it. The lease only avoids useless work: a writer
   * that stalls for longer does no harm, because of `change` and because it has its own file.
   */
  hold(id: string, writer: string, forMs: number): Promise<boolean>;
  release(id: string, writer: string): Promise<void>;
}

/** An incomplete file, with a single writer, which closes it. */
export interface IncomingFile {
  /** The `file` of its upload. */
  readonly name: string;
  /** The current absolute path. */
  readonly path: string;
  /** Writes all bytes, or fails. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Flushes to disk. */
  keep(): Promise<void>;
  /** Of the whole content, in hex. */
  sha256(): Promise<string>;
  /** Renames it to the name of its upload. False: the name is taken. */
  publish(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Files of uploads below one folder: `<root>/<proposal>/<name>`, and in `incomingFolder` beside it until they are complete. No link below the
 * root is followed.
 */
export interface UploadFiles {
  readonly root: string;
  /** The path of the complete upload. */
  pathOf(upload: Pick<Upload, 'proposal' | 'name'>): string;
  /** Whether a file already has the name of the upload. */
  isTaken(upload: Pick<Upload, 'proposal' | 'name'>): Promise<boolean>;
  /**
   * The file to continue with: the existing one if its last writer ended; otherwise a copy of it, because the last writer may still write to
   * the first.
   * @returns undefined: its file is missing, or shorter than the recorded length
   */
  open(upload: Upload): Promise<IncomingFile | undefined>;
  /** Whether its file already has the final name: the writer may have died before recording it. */
  isPublished(upload: Upload): Promise<boolean>;
  /** Removes the remains of an upload, or only the file of this name. */
  clear(upload: Pick<Upload, 'id' | 'proposal'>, only?: string): Promise<void>;
  /** Removes an upload with its file, complete or not. */
  remove(upload: Pick<Upload, 'id' | 'proposal' | 'name' | 'state'>): Promise<void>;
  /**
   * Removes all files of a proposal.
   * @param dryRun nothing is removed
   * @returns how many there are
   */
  removeOf(proposal: string, dryRun: boolean): Promise<number>;
  /** Removes files that belong to no pending upload. Returns how many, and the errors; an error does not prevent the other removals. */
  sweep(
    isAwaited: (id: string) => Promise<boolean>,
  ): Promise<{ readonly removed: number; readonly troubles: readonly unknown[] }>;
}
