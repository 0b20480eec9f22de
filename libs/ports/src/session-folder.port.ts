import type { CycleRecord, Session, SessionHead } from '@fleet/contracts';

export const SESSION_FOLDER = Symbol('SessionFolder');

/**
 * The files of a session: `session.json`, from which it can be rebuilt, and its summary.
 * Every write is complete or absent (written beside, then renamed); every path stays under the work root.
 */
export interface SessionFolderPort {
  /** Writes `session.json`: the whole record with the version of its layout. Makes the folder where it is missing. */
  writeSession(session: Session): Promise<void>;
  /** As `writeSession`, but a `session.json` that is there already stays: whoever wrote it knew more of the session. */
  writeNewSession(session: Session): Promise<void>;
  /**
   * @param folder absolute path of a session's folder
   * @throws Fault `session_file.missing`, `session_file.damaged` (not JSON, or not the layout), `session_file.newer` (written by a newer release)
   * or `session_file.misplaced` (of another session: the folder is a copy).
   */
  readSession(folder: string): Promise<Session>;
  /** Absolute paths of all folders under the work root that hold a `session.json`, and of those that cannot be looked into, sorted. */
  listSessionFolders(): Promise<readonly string[]>;
  /** Writes the summary for people; returns its absolute path. */
  writeSummary(session: Session, markdown: string): Promise<string>;
  /** Absolute path of an attempt's log, whether or not it exists already: also while the program still runs. */
  logPath(
    session: Pick<SessionHead, 'folder'>,
    cycle: Pick<CycleRecord, 'cycle' | 'decision'>,
    attempt: number,
  ): string;
}
