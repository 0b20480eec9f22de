export const OWED_FILES = Symbol('OwedFiles');

/** A session whose folder is behind its record. */
export interface OwedFile {
  readonly sessionId: string;
  /** Identifies its last transition. */
  readonly move: string;
}

/**
 * Sessions whose `session.json` and summary are older than the record: each transition of `SessionRecords` marks them in its own transaction.
 * Each method is atomic, and may throw a transient `Fault` when the store cannot be reached.
 */
export interface OwedFiles {
  /**
   * The longest-waiting first.
   * @param claimMs lease, so that several followers get different sessions
   */
  claim(limit: number, claimMs: number): Promise<readonly OwedFile[]>;
  /**
   * Confirms that the files of these sessions were written, each from a record that was read after the claim. Those of a session that has moved
   * meanwhile, or for which another process has written (the disk may hold either version), are due again at once.
   */
  settle(owed: readonly OwedFile[]): Promise<void>;
}
