import type {
  CycleRecord,
  ProgramCatalogue,
  BackendName,
  Session,
  SessionEvent,
  SessionFit,
  SessionHead,
  SessionRequest,
  SessionStatus,
  SessionStop,
  Stage,
  StopReason,
  StoredEvent,
} from '@fleet/contracts';

export const SESSION_STORE = Symbol('SessionStore');

export interface NewSession {
  readonly id: string;
  readonly folder: string;
  readonly request: SessionRequest;
  readonly createdAt: string;
  /** Only `recover` sets these: where the session goes on, and the cycles that are done. */
  readonly resume?: {
    readonly status: SessionStatus;
    readonly stage: Stage;
    readonly cycle: number;
    readonly attempt: number;
    readonly cycles: readonly CycleRecord[];
    readonly stop?: SessionStop;
    /** Absent: lists show none until a cycle measures it. */
    readonly fit?: SessionFit;
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
  /** The current cycle's record as it is after this move; replaces what was stored for that cycle. */
  readonly cycleRecord?: CycleRecord;
  /** How well the result fits from now on, for lists; `none`: nothing that counts was measured. Absent: as before. */
  readonly fit?: SessionFit | 'none';
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
  /** Where it goes on; or the end that it has from now on. */
  readonly to: NextPlace;
  /** Records of cycles after this one are taken out; absent: all stay. Numbers of cycles are never used again. */
  readonly lastCycle?: number;
  /** Replaces advice, directives, settings and files. */
  readonly request?: SessionRequest;
  /** As of a transition. */
  readonly fit?: SessionFit | 'none';
  readonly events: readonly SessionEvent[];
  readonly dueInMs: number;
}

export type ReopenResult =
  | { readonly applied: true; readonly head: SessionHead }
  | { readonly applied: false; readonly because: 'stale' | 'missing' | 'not_ended' };

export type AdvanceResult =
  | { readonly applied: true; readonly head: SessionHead }
  | { readonly applied: false; readonly because: 'stale' | 'missing' | 'ended' };

export interface SessionFilter {
  readonly status?: SessionStatus;
  readonly proposal?: string;
  readonly beamline?: string;
}

/** What a list shows of a session. */
export interface SessionRow extends SessionHead {
  readonly title: string;
  readonly proposal: string;
  readonly beamline: string;
  /** Why it ended; absent while it runs. */
  readonly stopReason?: StopReason;
  /** Absent while nothing that counts was measured. */
  readonly fit?: SessionFit;
}

/** What a session may be called by. */
export interface SessionName {
  /** Its whole title. */
  readonly title: string;
  /** The beginning of its id; absent: only titles count. */
  readonly idBeginning?: string;
}

export interface SessionPage {
  readonly sessions: readonly SessionRow[];
  /** Pass it back to go on; absent on the last page. */
  readonly nextCursor?: string;
}

/**
 * The session records. Every implementation passes `sessionStoreContract` in libs/testing.
 * Each method is atomic; each may throw a transient `Fault` when the store cannot be reached, and what reads one session the Fault
 * `session.damaged` (bug) when its record cannot be read. Methods that give several sessions leave such a one out.
 */
export interface SessionStore {
  /** Writes the record, its first events, its outbox entry and its deadline. `exists` when the id is taken: nothing changes. */
  create(session: NewSession, events: readonly SessionEvent[], dueInMs: number): Promise<'created' | 'exists'>;
  load(id: string): Promise<Session | undefined>;
  /** The head alone: cheap enough for polling. */
  loadHead(id: string): Promise<SessionHead | undefined>;
  /** `version` of the audit trail: one line per applied transition, `<version> <cycle>.<attempt> <stage>-><next>`. */
  transitions(id: string): Promise<readonly string[]>;
  advance(transition: Transition): Promise<AdvanceResult>;
  /** running -> cancelling, version + 1, wakes the executor. Idempotent. */
  requestCancel(id: string, event: SessionEvent): Promise<'cancelling' | 'ended' | 'missing'>;
  /** Lets an ended session go on, or takes its last cycles out; the outbox and the deadline are those of `advance`. */
  reopen(reopening: Reopening): Promise<ReopenResult>;
  /** Newest first, by `createdAt`, then by id. */
  list(filter: SessionFilter, limit: number, cursor?: string): Promise<SessionPage>;
  /** Sessions that are called so, by title or by the beginning of their id, each once, the newest first. */
  find(name: SessionName, limit: number): Promise<readonly SessionRow[]>;

  /** Events after `afterId` (`0` for all), oldest first. */
  events(id: string, afterId: string, limit: number): Promise<readonly StoredEvent[]>;
  /** As `events`, but waits up to `waitMs` for the first one. */
  waitForEvents(id: string, afterId: string, waitMs: number): Promise<readonly StoredEvent[]>;

  /**
   * Sessions whose wake-up was written at least `olderThanMs` ago and never acknowledged, those that wait longest first.
   * @param claimMs nobody is told of them again for so long, so that of many sweepers each has other ones; 0: they are only read
   */
  unacknowledged(olderThanMs: number, limit: number, claimMs?: number): Promise<readonly SessionHead[]>;
  /** The wake-up of this version is in its queue. A no-op when the session has moved on. */
  acknowledge(id: string, version: number): Promise<void>;
  /** Sessions past their deadline, the oldest deadline first; `claimMs` as for `unacknowledged`. */
  overdue(limit: number, claimMs?: number): Promise<readonly SessionHead[]>;
  /** Pushes the deadline; with `wakeAgain` it also counts one more wake-up, which changes the job id. Fenced by version. */
  postpone(id: string, version: number, dueInMs: number, wakeAgain: boolean): Promise<SessionHead | undefined>;
  /**
   * Takes note that the step of this version failed for good. Returns how many wake-ups in a row it has failed: the same one counts
   * once, and one that did not fail in between begins anew. 0 when the session has moved on or ended.
   */
  countFailure(id: string, version: number): Promise<number>;

  publishPrograms(catalogue: ProgramCatalogue): Promise<void>;
  programs(backend: BackendName): Promise<ProgramCatalogue | undefined>;
}
