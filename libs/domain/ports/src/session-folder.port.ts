import type { CycleRecord, FilePin, Session, SessionHead } from '@fleet/contracts/sessions';

export const SESSION_FOLDER = Symbol('SessionFolder');

/** A fork that is to be. */
export interface PlannedFork extends Pick<Session, 'id' | 'folder'> {
  /** Its id is of a key, so that others may make the same fork in the same folder at the same time: what is there by then stays. */
  readonly isKeyed: boolean;
}

/**
 * Whether a `session.json` is what this installation wrote:
 * - `authentic`: signed with a key of this installation, and unchanged;
 * - `unsigned`: without a signature, as older releases and installations without a key write it;
 * - `unknown_key`: signed with a key that this installation does not have;
 * - `altered`: its signature does not fit its content;
 * - `no_key`: this installation has no key, so that nothing can be said.
 */
export type Authenticity = 'authentic' | 'unsigned' | 'unknown_key' | 'altered' | 'no_key';

/** A session as its file tells it, checked in everything but whether it is true. */
export interface ReadSession {
  readonly session: Session;
  readonly authenticity: Authenticity;
  /** Stands for this very content: 32 hexadecimal digits. */
  readonly digest: string;
  /** Files that the record names and that are not there, at most 20. */
  readonly missingFiles: readonly string[];
}

/**
 * The files of a session: `session.json`, from which it can be rebuilt, and its summary.
 * Every write is complete or absent (written beside, then renamed); every path stays under the work root, and no link is followed
 * below it.
 */
export interface SessionFolderPort {
  /** Writes `session.json`: the whole record with the version of its layout, signed. Makes the folder where it is missing. */
  writeSession(session: Session): Promise<void>;
  /**
   * Finds out whether the folder of a session takes its record, before anything changes; leaves the folder, which others may
   * have opened meanwhile.
   * @throws Fault `storage.unwritable` (transient) or `file.outside_root` (the folder is reached through a link)
   */
  tryFolder(session: Session): Promise<void>;
  /**
   * Puts the files that the first cycles of a session have made, and their logs, at the same places in the folder of its fork: as second
   * names of them, else as copies. The session itself is not touched, and may lose its folder afterwards.
   * @param fork the session that is to be, in the proposal of the other one
   * @returns what they are there, by their path there: of those that had to be copied. The others are the same files under a second name
   * @throws Fault `fork.file_changed` (conflict: a file is gone, or another than was accepted), as `tryFolder` otherwise. Nothing stays
   * then, unless the fork has a key
   */
  carryFiles(session: Session, afterCycle: number, fork: PlannedFork): Promise<ReadonlyMap<string, FilePin>>;
  /**
   * Reads and checks a record. Its files are resolved again and lie under the allowed roots.
   * @param folder absolute path of a session's folder
   * @throws Fault `session_file.missing`, `session_file.damaged` (not JSON, not the layout, or nothing that could be true),
   * `session_file.newer` (written by a newer release), `session_file.misplaced` (of another session: the folder is a copy), `file.is_link`,
   * `file.not_regular`, `file.too_large` or `file.outside_root`. A transient Fault is not a verdict on the file.
   */
  readSession(folder: string): Promise<ReadSession>;
  /** Absolute paths of all folders under the work root that hold a `session.json`, and of those that cannot be looked into, sorted. */
  listSessionFolders(): Promise<readonly string[]>;
  /** Writes the summary for people; returns its absolute path. */
  writeSummary(session: Session, markdown: string): Promise<string>;
  /** Bytes that the files of a session have for themselves: what a fork has under a second name does not count. 0 where there is no folder. */
  bytesOf(session: Pick<Session, 'id' | 'folder' | 'request'>): Promise<number>;
  /**
   * Deletes the folder of a session, `session.json` first. May be repeated.
   * @returns bytes that its files had for themselves
   * @throws Fault `file.outside_root` (it is not where the session belongs, or is reached through a link), `storage.unwritable` (transient)
   */
  remove(session: Pick<Session, 'id' | 'folder' | 'request'>): Promise<number>;
  /** Absolute path of an attempt's log, whether or not it exists already: also while the program still runs. */
  logPath(
    session: Pick<SessionHead, 'folder'>,
    cycle: Pick<CycleRecord, 'cycle' | 'decision'>,
    attempt: number,
  ): string;
}
