import type { Guidance } from '@fleet/contracts/guidance';
import type {
  CycleRecord,
  RowProgress,
  Session,
  SessionEvent,
  SessionHead,
  SessionRequest,
  SessionStatus,
  SessionStop,
  Stage,
} from '@fleet/contracts/sessions';

export const SESSION_RECORDS = Symbol('SessionRecords');

export interface NewSession {
  readonly id: string;
  readonly folder: string;
  readonly request: SessionRequest;
  readonly createdAt: string;
  /** Absent: no requests. */
  readonly guidance?: Guidance;
  /** Only `recover` sets these: where the session continues, and the finished cycles. */
  readonly resume?: {
    readonly status: SessionStatus;
    readonly stage: Stage;
    readonly cycle: number;
    readonly attempt: number;
    readonly cycles: readonly CycleRecord[];
    readonly stop?: SessionStop;
  };
}

/** The next position of a session. `ended` removes it from every queue and index of running work. */
export type NextPosition =
  { readonly stage: Stage; readonly cycle: number; readonly attempt: number } | { readonly ended: SessionStop };

/** One fenced, atomic transition of a session. */
export interface Transition {
  readonly sessionId: string;
  /** Applied only if the session still has this version. */
  readonly fromVersion: number;
  readonly to: NextPosition;
  /** Applied only if the guidance still has this revision; absent: the transition does not depend on it. */
  readonly guidance?: number;
  /** The new reading of the guidance: the same text and revision, read again. Absent: unchanged. */
  readonly reading?: Guidance;
  /** The current cycle's record after this transition; replaces the stored one. */
  readonly cycleRecord?: CycleRecord;
  /** The progress in its row from now on (`progressOf` of the session after this transition). Absent: unchanged. */
  readonly progress?: RowProgress;
  /** Appended to the session's event stream in the same write. */
  readonly events: readonly SessionEvent[];
  /** When the sweeper checks this session if nothing happens. */
  readonly dueInMs: number;
  /** False if no worker must be woken: the program runs and its end will be detected. Default true. */
  readonly wakeNow?: boolean;
}

/** One fenced, atomic change of a session that has ended. */
export interface Reopening {
  readonly sessionId: string;
  /** Applied only if the session still has this version. */
  readonly fromVersion: number;
  /** The position where it continues, or its new end. */
  readonly to: NextPosition;
  /** Removes the records of later cycles; absent: all stay. Cycle numbers are never reused. */
  readonly lastCycle?: number;
  /** Replaces settings and files. */
  readonly request?: SessionRequest;
  /** The guidance from now on; absent: unchanged. */
  readonly guidance?: Guidance;
  /** As in a transition. */
  readonly progress?: RowProgress;
  readonly events: readonly SessionEvent[];
  readonly dueInMs: number;
}

export type ReopenResult =
  | { readonly applied: true; readonly head: SessionHead }
  | { readonly applied: false; readonly reason: 'stale' | 'missing' | 'not_ended' | 'purged' };

export type AdvanceResult =
  | { readonly applied: true; readonly head: SessionHead }
  | { readonly applied: false; readonly reason: 'stale' | 'missing' | 'ended' | 'advised' };

/** A change of the guidance while a session runs. The version stays, and work in progress continues. */
export interface Advising {
  readonly sessionId: string;
  /** Applied only if the guidance still has this revision, and the session is in this stage of this cycle. */
  readonly from: { readonly revision: number } & Pick<SessionHead, 'stage' | 'cycle'>;
  readonly guidance: Guidance;
  readonly events: readonly SessionEvent[];
}

/** One fenced, atomic change of the priority of a running session. Its position stays, and its step is taken again with the new priority. */
export interface Prioritising {
  readonly sessionId: string;
  /** Applied only if the session still has this version. */
  readonly fromVersion: number;
  /** With the new priority. */
  readonly request: SessionRequest;
  readonly events: readonly SessionEvent[];
  readonly dueInMs: number;
}

export type PrioritiseResult =
  | { readonly applied: true; readonly head: SessionHead }
  | { readonly applied: false; readonly reason: 'stale' | 'missing' | 'idle' };

/** `stale`: the guidance has another revision; `moved`: the session has another position by now; `idle`: it does not run. */
export type AdviseResult = 'applied' | 'stale' | 'moved' | 'idle' | 'missing';

/**
 * The session records: the write side, and the reads of one session. Each method is atomic, and may throw a transient `Fault` when the store
 * cannot be reached. Methods that read one session throw the Fault `session.damaged` (bug) when its record cannot be read.
 */
export interface SessionRecords {
  /** Writes the record, its first events, its outbox entry and its deadline. `exists` when the id is taken: nothing changes. */
  create(session: NewSession, events: readonly SessionEvent[], dueInMs: number): Promise<'created' | 'exists'>;
  load(id: string): Promise<Session | undefined>;
  /** Only the head: cheap enough for polling. */
  loadHead(id: string): Promise<SessionHead | undefined>;
  advance(transition: Transition): Promise<AdvanceResult>;
  /** running -> cancelling, version + 1, wakes the executor. Idempotent. */
  requestCancel(id: string, event: SessionEvent): Promise<'cancelling' | 'ended' | 'missing'>;
  /** Changes the guidance while a session runs. It applies from the next decision on, because dependent transitions are fenced by it. */
  advise(advising: Advising): Promise<AdviseResult>;
  /** Gives a running session another priority: version + 1, at the same position, and wakes its step. */
  prioritise(prioritising: Prioritising): Promise<PrioritiseResult>;
  /** Resumes an ended session whose files exist, or removes its last cycles. Outbox and deadline are as in `advance`. */
  reopen(reopening: Reopening): Promise<ReopenResult>;
}
