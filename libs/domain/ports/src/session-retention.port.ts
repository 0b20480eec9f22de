import type { FolderPurge, Pin } from '@fleet/contracts/retention';
import type { Session, SessionOutcome } from '@fleet/contracts/sessions';
import type { Upload } from '@fleet/contracts/uploads';

export const SESSION_RETENTION = Symbol('SessionRetention');

/** What decides how long a session is kept, and what was deleted of it. */
export interface RetainedSession {
  readonly session: Pick<Session, 'id' | 'folder' | 'status' | 'request'>;
  readonly outcome?: SessionOutcome;
  /** Milliseconds since the epoch; absent: it has not ended. */
  readonly endedAt?: number;
  readonly pin?: Pin;
  readonly purged?: FolderPurge;
  /** Webhooks and e-mail have reported that its files go. */
  readonly isExpiryTold: boolean;
  /** Its batch has rows to start, or sessions that run. */
  readonly isBatchRunning: boolean;
  /** Sessions whose inputs are files of this one, and that still have a folder of their own; at most 20. */
  readonly usedBy: readonly string[];
}

/** A deletion that somebody has begun. */
export interface BegunPurge {
  readonly session: RetainedSession['session'];
  readonly rule: string;
  /** The record goes with the folder. */
  readonly record: boolean;
}

/** Whose data: of a proposal, or of whoever submitted. */
export type DataOwner = { readonly proposal: string } | { readonly submitter: string };

/** A page of sessions, oldest end first. */
export interface RetainedPage {
  readonly sessions: readonly RetainedSession[];
  readonly nextCursor?: string;
}

/**
 * How long sessions are kept. A deletion is begun, which nothing can take back: no other change of the session happens from then on. Then its
 * folder is deleted, and then that is recorded; whoever finds a deletion that was begun long ago does the rest again.
 */
export interface SessionRetentionRecords {
  find(id: string): Promise<RetainedSession | undefined>;
  /** Pins a session of which no deletion has begun; one that is pinned has this pin then. */
  pin(id: string, pin: Pick<Pin, 'by' | 'reason'>): Promise<'pinned' | 'purged' | 'missing'>;
  /** What it was pinned with; undefined: it was not. */
  unpin(id: string): Promise<Pin | undefined>;
  /**
   * Ended sessions that still have a folder, or that have lost it.
   * @param until they ended by this time (milliseconds since the epoch)
   */
  ended(part: 'folder' | 'record', until: number, limit: number, cursor?: string): Promise<RetainedPage>;
  /**
   * Tells webhooks and e-mail, once, that the files of a session go.
   * @param until milliseconds since the epoch
   */
  tellExpiry(id: string, until: number): Promise<void>;
  /** All sessions of somebody, by id. */
  ofOwner(owner: DataOwner, limit: number, cursor?: string): Promise<RetainedPage>;
  /**
   * Begins a deletion, unless something holds the session by now or somebody else has begun.
   * @param isOrdered by request: only sessions that run and use its files hold it, and statistics count it no more
   */
  begin(id: string, purge: Omit<BegunPurge, 'session'>, isOrdered: boolean): Promise<boolean>;
  /** Deletions that were begun so long ago, for whoever claims them now. */
  claimUnfinished(olderThanMs: number, limit: number): Promise<readonly BegunPurge[]>;
  /** The folder is gone. */
  folderPurged(id: string, bytes: number): Promise<void>;
  /**
   * Deletes a session whose deletion has begun with all that is known of it, except that statistics still count one that retention deletes;
   * nothing brings it back but a new submission.
   */
  remove(id: string): Promise<void>;
  /**
   * Deletes batches of somebody, each with its rows. One whose rows are still to be looked at, or that has sessions, stays.
   * @param dryRun sessions of a batch that have ended do not count, and nothing is deleted
   */
  removeBatches(
    owner: DataOwner,
    dryRun: boolean,
  ): Promise<{ readonly removed: number; readonly running: readonly string[] }>;
  /** Deletes what statistics count of somebody's sessions that retention has deleted. */
  removeFigures(owner: DataOwner): Promise<void>;
  /** Whether a session of somebody runs. */
  isRunning(owner: DataOwner): Promise<boolean>;
  /** Uploads of somebody that are known still. */
  uploadsOf(owner: DataOwner): Promise<readonly Upload[]>;
  forgetUpload(id: string): Promise<void>;
  /** Whether a session of this id was deleted. */
  wasRemoved(id: string): Promise<boolean>;
}
