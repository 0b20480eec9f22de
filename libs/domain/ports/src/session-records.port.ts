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
  /** Absent: nothing was asked for. */
  readonly guidance?: Guidance;
  /** Only `recover` sets these: where the session continues, and the cycles that are done. */
  readonly resume?: {
    readonly status: SessionStatus;
    readonly stage: Stage;
    readonly cycle: number;
    readonly attempt: number;
    readonly cycles: readonly CycleRecord[];
    readonly stop?: SessionStop;
  };
}

/** Where a session goes next. `ended` takes it off every queue and index of running work. */
export type NextPlace =
  { readonly stage: Stage; readonly cycle: number; readonly attempt: number } | { readonly ended: SessionStop };

/** One fenced, atomic move of a session. */
export interface Transition {
  readonly sessionId: string;
  /** The move happens only if the session still has this version. */
  readonly fromVersion: number;
  readonly to: NextPlace;
  /** The move happens only if the guidance still has this revision; absent: it does not follow from it. */
  readonly guidance?: number;
  /** What is asked for from now on: the same words with the same revision, read again. Absent: as before. */
  readonly reading?: Guidance;
  /** The current cycle's record as it is after this move; replaces what was stored for that cycle. */
  readonly cycleRecord?: CycleRecord;
  /** What its row says of the work from now on (`progressOf` of the session after this move). Absent: as before. */
  readonly progress?: RowProgress;
  /** Appended to the session's event stream in the same write. */
  readonly events: readonly SessionEvent[];
  /** When the sweeper looks after this session if nothing happens. */
  readonly dueInMs: number;
  /** False when nobody has to be woken: the program runs and its end will be seen. Default true. */
  readonly wakeNow?: boolean;
}

/** One fenced, atomic change of a session that has ended. */
export interface Reopening {
  readonly sessionId: string;
  /** The change happens only if the session still has this version. */
  readonly fromVersion: number;
  /** Where it continues; or the end that it has from now on. */
  readonly to: NextPlace;
  /** Records of cycles after this one are taken out; absent: all stay. Numbers of cycles are never used again. */
  readonly lastCycle?: number;
  /** Replaces settings and files. */
  readonly request?: SessionRequest;
  /** What is asked for from now on; absent: as before. */
  readonly guidance?: Guidance;
  /** As of a transition. */
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

/** A change of what is asked for while a session runs. It moves nothing: the version stays, and whatever is under way continues. */
export interface Advising {
  readonly sessionId: string;
  /** The change happens only if the guidance still has this revision, and the session is in this stage of this cycle. */
  readonly from: { readonly revision: number } & Pick<SessionHead, 'stage' | 'cycle'>;
  readonly guidance: Guidance;
  readonly events: readonly SessionEvent[];
}

/** One fenced, atomic change of the priority of a session that runs. It stays where it is, and its step is taken again: with the new priority. */
export interface Prioritising {
  readonly sessionId: string;
  /** The change happens only if the session still has this version. */
  readonly fromVersion: number;
  /** With the priority that it has from now on. */
  readonly request: SessionRequest;
  readonly events: readonly SessionEvent[];
  readonly dueInMs: number;
}

export type PrioritiseResult =
  | { readonly applied: true; readonly head: SessionHead }
  | { readonly applied: false; readonly reason: 'stale' | 'missing' | 'idle' };

/** `stale`: the guidance has another revision; `moved`: the session is elsewhere by now; `idle`: it does not run. */
export type AdviseResult = 'applied' | 'stale' | 'moved' | 'idle' | 'missing';

/**
 * The session records: the write side, and the reads of one session. Each method is atomic, and may throw a transient `Fault` when the
 * store cannot be reached; what reads one session throws the Fault `session.damaged` (bug) when its record cannot be read.
 */
export interface SessionRecords {
  /** Writes the record, its first events, its outbox entry and its deadline. `exists` when the id is taken: nothing changes. */
  create(session: NewSession, events: readonly SessionEvent[], dueInMs: number): Promise<'created' | 'exists'>;
  load(id: string): Promise<Session | undefined>;
  /** The head alone: cheap enough for polling. */
  loadHead(id: string): Promise<SessionHead | undefined>;
  advance(transition: Transition): Promise<AdvanceResult>;
  /** running -> cancelling, version + 1, wakes the executor. Idempotent. */
  requestCancel(id: string, event: SessionEvent): Promise<'cancelling' | 'ended' | 'missing'>;
  /** Changes what is asked for while a session runs: from the next decision on it counts, for moves that follow from it are fenced by it. */
  advise(advising: Advising): Promise<AdviseResult>;
  /** Gives a running session another priority: version + 1, in the same place, and wakes its step. */
  prioritise(prioritising: Prioritising): Promise<PrioritiseResult>;
  /** Lets an ended session whose files are there continue, or takes its last cycles out; the outbox and the deadline are those of `advance`. */
  reopen(reopening: Reopening): Promise<ReopenResult>;
}
