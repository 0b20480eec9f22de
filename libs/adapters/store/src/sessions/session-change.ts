import {
  isEnded,
  statusOfStopReason,
  type CycleRecord,
  type RowProgress,
  type Session,
  type SessionEvent,
} from '@fleet/contracts/sessions';
import {
  beginningOf,
  CANCEL_DUE_MS,
  CANCELLING,
  nextWord,
  transitionLine,
  type Advising,
  type NewSession,
  type NextPosition,
  type Prioritising,
  type Reopening,
  type Transition,
} from '@fleet/ports';
import { progressOf } from '@fleet/session-report';

/** All changes of a session; each kind with its fence. */
export type SessionChange =
  | {
      readonly kind: 'create';
      readonly made: NewSession;
      readonly events: readonly SessionEvent[];
      readonly dueInMs: number;
    }
  | ({ readonly kind: 'advance' } & Omit<Transition, 'sessionId'>)
  | { readonly kind: 'cancel'; readonly event: SessionEvent }
  | ({ readonly kind: 'advise' } & Omit<Advising, 'sessionId'>)
  | ({ readonly kind: 'reprioritize' } & Omit<Prioritising, 'sessionId'>)
  | ({ readonly kind: 'reopen' } & Omit<Reopening, 'sessionId'>);

/** A session without its cycles, and the progress in its row. */
export interface StoredSession {
  readonly session: Omit<Session, 'cycles'>;
  readonly progress: RowProgress;
}

/** Why a change is refused. */
export type Refusal =
  'exists' | 'missing' | 'stale' | 'advised' | 'ended' | 'not_ended' | 'idle' | 'moved' | 'cancelling' | 'purged';

/** What a change writes. Absent fields stay unchanged. */
export interface Moved extends StoredSession {
  /** Written records; each replaces the stored one of its cycle. */
  readonly records: readonly CycleRecord[];
  /** Records of later cycles are removed. */
  readonly lastCycle?: number;
  /** Line of the audit trail; absent: the version stays. */
  readonly line?: string;
  readonly events: readonly SessionEvent[];
  /** Milliseconds until the sweeper checks it; `never`: no work is pending. */
  readonly due?: number | 'never';
  /** Whether a wake-up is pending. */
  readonly wakes?: boolean;
}

const revisionOf = ({ guidance }: Pick<Session, 'guidance'>): number => guidance?.revision ?? 1;

/** The pending work after a move: none if the session ends. */
const owed = (to: NextPosition, dueInMs: number, wakes = true): Pick<Moved, 'due' | 'wakes'> =>
  'ended' in to ? { due: 'never', wakes: false } : { due: dueInMs, wakes };

const created = ({ made, events, dueInMs }: Extract<SessionChange, { kind: 'create' }>): Moved => {
  const { id, folder, request, createdAt, guidance } = made;
  const { cycles, stop, ...place } = beginningOf(made);
  const times = { version: 1, wakeUps: 0, folder, createdAt, updatedAt: createdAt };
  const inputs = { request, ...(guidance !== undefined && { guidance }), ...(stop !== undefined && { stop }) };
  const session = { id, ...place, ...times, ...inputs };
  const due = isEnded(place.status) ? ({ due: 'never', wakes: false } as const) : { due: dueInMs, wakes: true };
  return { session, progress: progressOf({ request, cycles }), records: cycles, events, ...due };
};

type Change<Kind extends SessionChange['kind']> = Extract<SessionChange, { kind: Kind }>;
type Apply<Kind extends SessionChange['kind']> = (
  before: StoredSession,
  change: Change<Kind>,
  now: string,
) => Moved | Refusal;

/** The session with a new version, which every queue and every fence sees. */
const next = (session: StoredSession['session'], now: string): StoredSession['session'] => ({
  ...session,
  version: session.version + 1,
  wakeUps: 0,
  updatedAt: now,
});

const advance: Apply<'advance'> = ({ session: before, progress }, change, now) => {
  const { to, fromVersion, guidance, reading, cycleRecord, events, dueInMs, wakeNow } = change;
  if (isEnded(before.status)) return 'ended';
  if (before.version !== fromVersion) return 'stale';
  if (guidance !== undefined && guidance !== revisionOf(before)) return 'advised';
  const position = 'ended' in to ? { status: statusOfStopReason[to.ended.reason], stop: to.ended } : to;
  return {
    session: next({ ...before, ...position, ...(reading !== undefined && { guidance: reading }) }, now),
    progress: change.progress ?? progress,
    records: cycleRecord === undefined ? [] : [cycleRecord],
    line: transitionLine(before, nextWord(to)),
    events,
    ...owed(to, dueInMs, wakeNow),
  };
};

const cancel: Apply<'cancel'> = ({ session: before, progress }, { event }, now) => {
  if (isEnded(before.status)) return 'ended';
  if (before.status === 'cancelling') return 'cancelling';
  const line = transitionLine(before, CANCELLING);
  const session = next({ ...before, status: 'cancelling' }, now);
  return { session, progress, records: [], line, events: [event], due: CANCEL_DUE_MS, wakes: true };
};

const advise: Apply<'advise'> = ({ session, progress }, { from, guidance, events }) => {
  if (session.status !== 'running') return 'idle';
  if (revisionOf(session) !== from.revision) return 'stale';
  if (session.stage !== from.stage || session.cycle !== from.cycle) return 'moved';
  return { session: { ...session, guidance }, progress, records: [], events };
};

const reprioritize: Apply<'reprioritize'> = ({ session: before, progress }, change, now) => {
  const { fromVersion, request, events, dueInMs } = change;
  if (before.status !== 'running') return 'idle';
  if (before.version !== fromVersion) return 'stale';
  const line = transitionLine(before, before.stage);
  return { session: next({ ...before, request }, now), progress, records: [], line, events, due: dueInMs, wakes: true };
};

const reopen: Apply<'reopen'> = ({ session: ended, progress }, change, now) => {
  const { fromVersion, to, lastCycle, request, guidance, events, dueInMs } = change;
  const { stop, ...before } = ended;
  if (!isEnded(before.status) || stop === undefined) return 'not_ended';
  if (before.version !== fromVersion) return 'stale';
  const position =
    'ended' in to
      ? { status: statusOfStopReason[to.ended.reason], stop: to.ended }
      : { ...to, status: 'running' as const };
  const inputs = { ...(request !== undefined && { request }), ...(guidance !== undefined && { guidance }) };
  return {
    session: next({ ...before, ...position, ...inputs }, now),
    progress: change.progress ?? progress,
    records: [],
    ...(lastCycle !== undefined && { lastCycle }),
    line: transitionLine(before, nextWord(to)),
    events,
    ...owed(to, dueInMs),
  };
};

/**
 * Applies a change to a session, or returns why it is refused.
 * @param before undefined: it does not exist
 * @param now ISO 8601
 */
export const changed = (before: StoredSession | undefined, change: SessionChange, now: string): Moved | Refusal => {
  if (change.kind === 'create') return before === undefined ? created(change) : 'exists';
  if (before === undefined) return 'missing';
  switch (change.kind) {
    case 'advance':
      return advance(before, change, now);
    case 'cancel':
      return cancel(before, change, now);
    case 'advise':
      return advise(before, change, now);
    case 'reprioritize':
      return reprioritize(before, change, now);
    case 'reopen':
      return reopen(before, change, now);
  }
};

/**
 * Whether the session could not be rebuilt without this change, so that its files must be written: its beginning, each
 * complete cycle, its end, and users' requests. A session that begins at its end was recovered from its file.
 */
export const owesFiles = (change: SessionChange): boolean => {
  if (change.kind === 'create') return change.made.resume?.stop === undefined;
  if (change.kind === 'advance') return 'ended' in change.to || change.cycleRecord?.result !== undefined;
  return true;
};
