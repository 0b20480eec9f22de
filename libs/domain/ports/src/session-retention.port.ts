import type { FolderPurge, Pin } from '@fleet/contracts/retention';
import type { Session, SessionOutcome } from '@fleet/contracts/sessions';
import type { Upload } from '@fleet/contracts/uploads';

export const SESSION_RETENTION = Symbol('SessionRetention');

/** What decides how long a session is stored, and what was already deleted. */
export interface RetainedSession {
  readonly session: Pick<Session, 'id' | 'folder' | 'status' | 'request'>;
  readonly outcome?: SessionOutcome;
  /** Milliseconds since the epoch; absent: it has not ended. */
  readonly endedAt?: number;
  readonly pin?: Pin;
  readonly purged?: FolderPurge;
  /** Webhooks and e-mail have announced the deletion of its files. */
  readonly isExpiryTold: boolean;
  /** Its batch has rows to start, or running sessions. */
  readonly isBatchRunning: boolean;
  /** Sessions whose inputs are files of this one, and that still have their own folder; at most 20. */
  readonly usedBy: readonly string[];
}

/** A deletion that was begun. */
export interface BegunPurge {
  readonly session: RetainedSession['session'];
  readonly rule: string;
  /** The record is deleted with the folder. */
  readonly record: boolean;
}

/** The owner of data: a proposal, or a submitter. */
export type DataOwner = { readonly proposal: string } | { readonly submitter: string };

/** A page of sessions, oldest end first. */
export interface RetainedPage {
  readonly sessions: readonly RetainedSession[];
  readonly nextCursor?: string;
}

/**
 * Retention of sessions. A begun deletion cannot be undone, and blocks every other change of the session. Then its folder is deleted, and
 * then that is recorded; any process that finds an old unfinished deletion completes it.
 */
export interface SessionRetentionRecords {
  find(id: string): Promise<RetainedSession | undefined>;
  /** Pins a session unless its deletion has begun; replaces an existing pin. */
  pin(id: string, pin: Pick<Pin, 'by' | 'reason'>): Promise<'pinned' | 'purged' | 'missing'>;
  /** Removes and returns the pin; undefined: the session was not pinned. */
  unpin(id: string): Promise<Pin | undefined>;
  /**
   * Ended sessions that still have a folder, or those without one.
   * @param until they ended by this time (milliseconds since the epoch)
   */
  ended(part: 'folder' | 'record', until: number, limit: number, cursor?: string): Promise<RetainedPage>;
  /**
   * Announces once, by webhooks and e-mail, that the files of a session will be deleted.
   * @param until milliseconds since the epoch
   */
  tellExpiry(id: string, until: number): Promise<void>;
  /** All sessions of an owner, by id. */
  ofOwner(owner: DataOwner, limit: number, cursor?: string): Promise<RetainedPage>;
  /**
   * Begins a deletion, unless the session is held by now or another deletion has begun.
   * @param isOrdered on request: then only running sessions that use its files hold it, and statistics no longer count it
   */
  begin(id: string, purge: Omit<BegunPurge, 'session'>, isOrdered: boolean): Promise<boolean>;
  /** Claims old unfinished deletions. */
  claimUnfinished(olderThanMs: number, limit: number): Promise<readonly BegunPurge[]>;
  /** Records that the folder was deleted. */
  folderPurged(id: string, bytes: number): Promise<void>;
  /**
   * Deletes a session whose deletion has begun with all its data, except that statistics still count one that retention deletes. Final: only
   * a new submission can recreate it.
   */
  remove(id: string): Promise<void>;
  /**
   * Deletes batches of an owner, each with its rows. A batch with rows to process or with sessions stays.
   * @param dryRun ended sessions of a batch do not count, and nothing is deleted
   */
  removeBatches(
    owner: DataOwner,
    dryRun: boolean,
  ): Promise<{ readonly removed: number; readonly running: readonly string[] }>;
  /** Deletes the statistics of an owner's sessions that retention has deleted. */
  removeStatistics(owner: DataOwner): Promise<void>;
  /** Whether the owner has a running session. */
  isRunning(owner: DataOwner): Promise<boolean>;
  /** Stored uploads of an owner. */
  uploadsOf(owner: DataOwner): Promise<readonly Upload[]>;
  forgetUpload(id: string): Promise<void>;
  /** Whether a session of this id was deleted. */
  wasRemoved(id: string): Promise<boolean>;
}
