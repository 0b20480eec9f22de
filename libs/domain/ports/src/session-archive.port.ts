import type { Session, SessionHead, StoredEvent } from '@fleet/contracts';

export const SESSION_ARCHIVE = Symbol('SessionArchive');
export const ARCHIVE_FOLDER = Symbol('ArchiveFolder');

/** What happened to a session, oldest first. */
export interface SessionHistory {
  readonly events: readonly StoredEvent[];
  /** The audit trail, one line for each move. */
  readonly transitions: readonly string[];
}

/** All that is known of a session, as it was at one moment. */
export interface WholeSession extends SessionHistory {
  readonly session: Session;
}

/** What stands for the files of an archived session: whoever reads them sees whether they are the ones that were written. */
export interface ArchiveProof {
  /** Of the session when it was archived. */
  readonly version: number;
  /** SHA-256 of `session.json`, hexadecimal. */
  readonly record: string;
  /** SHA-256 of `events.jsonl`, hexadecimal. */
  readonly events: string;
}

/**
 * Takes sessions that have ended out of the store, down to their rows, and back again. Each method is atomic and may be repeated; several
 * workers may archive at the same time. Each may throw a transient `Fault` when the store cannot be reached.
 */
export interface SessionArchive {
  /**
   * Sessions that ended at least so long ago and are not archived, those that ended first first.
   * @param claimMs nobody is told of them again for so long
   */
  endedFor(ms: number, limit: number, claimMs: number): Promise<readonly SessionHead[]>;
  /** Whether one of these sessions is in the store, and not archived. */
  hasWhole(ids: readonly string[]): Promise<boolean>;
  /** Undefined: there is no such session, or it is archived. */
  whole(id: string): Promise<WholeSession | undefined>;
  /** Deletes everything of it but its row. Happens only if it has ended and has the version of the proof. */
  leaveRow(id: string, proof: ArchiveProof): Promise<'left' | 'stale'>;
  /** Where an archived session lies; undefined: there is no such session, or it is not archived. */
  archived(id: string): Promise<{ readonly head: SessionHead; readonly proof: ArchiveProof } | undefined>;
  /** Puts an archived session back as it was. Happens only if it is archived with this version. */
  putBack(whole: WholeSession): Promise<'back' | 'stale'>;
}

/** The files of an archived session: `session.json` and `events.jsonl` in its folder. */
export interface ArchiveFolder {
  /**
   * Writes both complete, has the disk keep them, and reads them back. Events of an `events.jsonl` that is there already, from before
   * the store began to know the session, stay in it.
   * @throws Fault `storage.unwritable` (transient), or as `SessionFolderPort.readSession`: then what was written cannot be read back
   */
  keep(whole: WholeSession): Promise<ArchiveProof>;
  /**
   * @throws Fault `archive.missing`, `archive.altered` (conflict: not what was archived), or as `SessionFolderPort.readSession`
   */
  record(folder: string, proof: ArchiveProof): Promise<Session>;
  /** @throws Fault `archive.missing`, `archive.altered` or `session_file.newer` */
  history(folder: string, proof: ArchiveProof): Promise<SessionHistory>;
}
