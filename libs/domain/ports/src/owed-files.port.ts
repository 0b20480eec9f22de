export const OWED_FILES = Symbol('OwedFiles');

/** A session whose folder is behind its record. */
export interface OwedFile {
  readonly sessionId: string;
  /** Stands for its last move. */
  readonly move: string;
}

/**
 * Sessions whose `session.json` and summary tell of an earlier state than the record: a move of `SessionRecords` owes them, in its own
 * transaction. Each method is atomic, and may throw a transient `Fault` when the store cannot be reached.
 */
export interface OwedFiles {
  /**
   * Those that wait longest first.
   * @param claimMs nobody else is given them for so long, so that of many followers each has other ones
   */
  claim(limit: number, claimMs: number): Promise<readonly OwedFile[]>;
  /**
   * The files were written from a record that was read after the claim. Where the session has moved meanwhile, or somebody else has written
   * (what is on the disk now may be either's), they are owed again, at once.
   */
  settle(owed: OwedFile): Promise<void>;
}
