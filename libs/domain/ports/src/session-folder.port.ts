import type { CycleRecord, FilePin, Session, SessionHead } from '@fleet/contracts/sessions';

export const SESSION_FOLDER = Symbol('SessionFolder');

/** The fork that will be created. */
export interface PlannedFork extends Pick<Session, 'id' | 'folder'> {
  /** Its id is derived from a key, so other callers may create the same fork in the same folder concurrently: existing files stay. */
  readonly isKeyed: boolean;
}

/**
 * Whether a `session.json` was written by this installation:
 * - `authentic`: signed with a key of this installation, and unchanged;
 * - `unsigned`: without a signature, as older releases and installations without a key write it;
 * - `unknown_key`: signed with a key that this installation does not have;
 * - `altered`: its signature does not match its content;
 * - `no_key`: this installation has no key, so it cannot verify.
 */
export type Authenticity = 'authentic' | 'unsigned' | 'unknown_key' | 'altered' | 'no_key';

/** A session read from its file. Everything is validated except its authenticity. */
export interface ReadSession {
  readonly session: Session;
  readonly authenticity: Authenticity;
  /** Digest of the content: 32 hexadecimal digits. */
  readonly digest: string;
  /** Files that the record names and that do not exist, at most 20. */
  readonly missingFiles: readonly string[];
}

/**
 * The files of a session: `session.json`, from which it can be rebuilt, and its summary. Every write is atomic (written beside, then
 * renamed); every path stays under the work root, and no link below it is followed.
 */
export interface SessionFolderPort {
  /** Writes `session.json`: the whole record with the version of its layout, signed. Creates a missing folder. */
  writeSession(session: Session): Promise<void>;
  /**
   * Checks that the record can be written to the folder of a session, before anything changes. Does not remove the folder, which other
   * processes may have opened meanwhile.
   * @throws Fault `storage.unwritable` (transient) or `file.outside_root` (the folder is reached through a link)
   */
  tryFolder(session: Session): Promise<void>;
  /**
   * Puts the files and logs of a session's first cycles at the same paths in the folder of its fork: as hard links, otherwise as copies. The
   * original session does not change, and may lose its folder afterwards.
   * @param fork the future session, in the same proposal
   * @returns the files that had to be copied, by their new path. The others are hard links to the same files
   * @throws Fault `fork.file_changed` (conflict: a file is missing, or differs from the accepted one), otherwise as `tryFolder`. Nothing
   * remains then, unless the fork has a key
   */
  carryFiles(session: Session, afterCycle: number, fork: PlannedFork): Promise<ReadonlyMap<string, FilePin>>;
  /**
   * Reads and validates a record. Its files are resolved again and must be under the allowed roots.
   * @param folder absolute path of a session's folder
   * @throws Fault `session_file.missing`, `session_file.damaged` (not JSON, not the layout, or impossible values),
   * `session_file.newer` (written by a newer release), `session_file.misplaced` (of another session: the folder is a copy), `file.is_link`,
   * `file.not_regular`, `file.too_large` or `file.outside_root`. A transient Fault says nothing about the file.
   */
  readSession(folder: string): Promise<ReadSession>;
  /** Absolute paths of all folders under the work root that contain a `session.json`, and of unreadable ones, sorted. */
  listSessionFolders(): Promise<readonly string[]>;
  /** Writes the human-readable summary; returns its absolute path. */
  writeSummary(session: Session, markdown: string): Promise<string>;
  /** Bytes that only this session uses: hard links of a fork do not count. 0 without a folder. */
  bytesOf(session: Pick<Session, 'id' | 'folder' | 'request'>): Promise<number>;
  /**
   * Deletes the folder of a session, `session.json` first. May be repeated.
   * @returns bytes that only this session used
   * @throws Fault `file.outside_root` (not the session's own folder, or reached through a link), `storage.unwritable` (transient)
   */
  remove(session: Pick<Session, 'id' | 'folder' | 'request'>): Promise<number>;
  /** Absolute path of an attempt's log, whether or not it exists already: also while the program still runs. */
  logPath(
    session: Pick<SessionHead, 'folder'>,
    cycle: Pick<CycleRecord, 'cycle' | 'decision'>,
    attempt: number,
  ): string;
}
