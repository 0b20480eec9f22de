import type {
  AttemptEnding,
  AttemptRecord,
  CycleRecord,
  EndingKind,
  JsonValue,
  Session,
  SessionEvent,
  WaitingAttempt,
} from '@fleet/contracts/sessions';
import { endSession, laterRetryMs, runningDueMs, tellAfterMs, tellAgainMs, type Move } from '@fleet/steps';
import { afterEnding, type RetryLimits } from './after-ending';

/** Endings of attempts whose program never ran: no start is reported. */
const neverRan: ReadonlySet<EndingKind> = new Set<EndingKind>([
  'not_started',
  'image_unavailable',
  'unschedulable',
  'gpu_unavailable',
]);

/** The cycle without its waiting state. */
export const withoutWait = ({ cycle, decision, attempts, result }: CycleRecord): CycleRecord => ({
  cycle,
  decision,
  attempts,
  ...(result !== undefined && { result }),
});

/** The cycle with this attempt, which replaces an earlier record of it, and without its waiting state. */
export const withAttempt = (record: CycleRecord, attempt: AttemptRecord): CycleRecord => ({
  ...withoutWait(record),
  attempts: [...record.attempts.filter((other) => other.attempt !== attempt.attempt), attempt].sort(
    (a, b) => a.attempt - b.attempt,
  ),
});

const event = (
  type: SessionEvent['type'],
  session: Session,
  at: string,
  message: string,
  data: Readonly<Record<string, JsonValue>>,
): SessionEvent => ({ type, cycle: session.cycle, at, message, data });

const startedEvent = (session: Session, record: CycleRecord, attempt: AttemptRecord): SessionEvent => {
  const simulated = attempt.provider === 'simulated' ? ' (simulated)' : '';
  const again = attempt.attempt > 1 ? `, attempt ${attempt.attempt}` : '';
  return event(
    'attempt_started',
    session,
    attempt.startedAt,
    `${record.decision.program} started: ${attempt.programVersion}${simulated}${again}`,
    {
      attempt: attempt.attempt,
      argv: record.decision.argv,
      provider: attempt.provider,
      version: attempt.programVersion,
      backend: attempt.backend,
      ...(attempt.resources !== undefined && { resources: { ...attempt.resources } }),
    },
  );
};

const endedEvent = (session: Session, attempt: AttemptRecord, ending: AttemptEnding): SessionEvent =>
  event('attempt_ended', session, ending.endedAt, ending.message, {
    attempt: attempt.attempt,
    kind: ending.kind,
    infrastructure: ending.infrastructure,
    durationMs: ending.durationMs,
    ...(ending.nextAction !== undefined && { nextAction: ending.nextAction }),
    ...(ending.exitCode !== undefined && { exitCode: ending.exitCode }),
    ...(ending.signal !== undefined && { signal: ending.signal }),
    ...(ending.peakMemoryMiB !== undefined && { peakMemoryMiB: ending.peakMemoryMiB }),
  });

const positionOf = (session: Session): { readonly cycle: number; readonly attempt: number } => ({
  cycle: session.cycle,
  attempt: session.attempt,
});

/** The first report that the program runs. No wake-up is needed: its end will send one. */
export const toStarted = (session: Session, record: CycleRecord, attempt: AttemptRecord): Move => ({
  to: { stage: 'executing', ...positionOf(session) },
  cycleRecord: withAttempt(record, attempt),
  events: [startedEvent(session, record, attempt)],
  dueInMs: runningDueMs,
  wakeNow: false,
});

/** The recorded wait of the current attempt; undefined if none is recorded. */
export const knownWait = (session: Session, record: CycleRecord): WaitingAttempt | undefined =>
  record.waiting?.attempt === session.attempt ? record.waiting : undefined;

/**
 * Whether a wait must be reported to the user: not a short one, then once, and again when its reason has changed, but
 * not at every change back and forth. The session's last move made the attempt due.
 */
export const isNewWait = (session: Session, known: WaitingAttempt | undefined, reason: string, at: string): boolean =>
  known === undefined
    ? Date.parse(at) - Date.parse(session.updatedAt) >= tellAfterMs
    : known.reason !== reason && Date.parse(at) - Date.parse(known.reportedAt) >= tellAgainMs;

/** The program cannot start yet, and the user was not notified, or not of this reason. */
export const toWaiting = (
  session: Session,
  record: CycleRecord,
  wait: Omit<WaitingAttempt, 'since' | 'reportedAt'>,
  report: { readonly at: string; readonly dueInMs: number },
): Move => {
  const waiting: WaitingAttempt = {
    ...wait,
    since: knownWait(session, record)?.since ?? session.updatedAt,
    reportedAt: report.at,
  };
  const message = `${record.decision.program} waits: ${wait.reason.replace(/\.$/, '')}.`;
  return {
    to: { stage: 'executing', ...positionOf(session) },
    cycleRecord: { ...record, waiting },
    events: [event('attempt_waiting', session, report.at, message, { attempt: wait.attempt, since: waiting.since })],
    dueInMs: report.dueInMs,
    wakeNow: false,
    outcome: 'waiting',
  };
};

/** An ended attempt, with facts about its start that the record lacks. */
export interface EndedAttempt {
  readonly attempt: AttemptRecord;
  readonly ending: AttemptEnding;
  readonly startIsUnreported: boolean;
}

/** The attempt has ended: continue with analysis, the next attempt, or the end of the session (see `afterEnding`). */
export const toEnded = (
  session: Session,
  record: CycleRecord,
  ended: EndedAttempt,
  limits: RetryLimits & { readonly at: string },
): Move => {
  const next = afterEnding(withAttempt(record, { ...ended.attempt, ending: ended.ending }), ended.ending, limits);
  // A new attempt is the next action; otherwise the backend's advice stays.
  const ending = next.then === 'again' ? { ...ended.ending, nextAction: next.nextAction } : ended.ending;
  const startIsUnreported = ended.startIsUnreported && !neverRan.has(ending.kind);
  const events = [
    ...(startIsUnreported ? [startedEvent(session, record, ended.attempt)] : []),
    endedEvent(session, ended.attempt, ending),
  ];
  const cycleRecord = withAttempt(record, { ...ended.attempt, ending });
  switch (next.then) {
    case 'analyse':
      return { to: { stage: 'analysing', ...positionOf(session) }, cycleRecord, events };
    case 'again': {
      const to = { stage: 'executing', cycle: session.cycle, attempt: session.attempt + 1 } as const;
      return { to, cycleRecord, events, ...(next.pause && { dueInMs: laterRetryMs, wakeNow: false }) };
    }
    case 'give_up': {
      const detail = `${next.detail} The data are not the cause: report it to the operators of the service, and resume once it is repaired.`;
      const stop = { reason: 'infrastructure', detail, afterCycle: session.cycle } as const;
      return { ...endSession(session, stop, limits.at, events), cycleRecord };
    }
  }
};

/** Files of another run have this attempt's name: they stay, and the program runs under the next number. */
export const toConflictFree = (session: Session, record: CycleRecord, message: string, at: string): Move => ({
  to: { stage: 'executing', cycle: session.cycle, attempt: session.attempt + 1 },
  cycleRecord: withoutWait(record),
  events: [
    event('warning', session, at, `${message}; it runs again as attempt ${session.attempt + 1}`, {
      attempt: session.attempt,
      code: 'run.spec_conflict',
    }),
  ],
});

/** The program has ended, and the session with it. */
export const toCancelled = (session: Session, record: CycleRecord | undefined, at: string): Move => {
  const detail = 'Cancelled by request. Existing files are kept; resume continues from there.';
  const stop = { reason: 'cancelled', detail, afterCycle: session.cycle } as const;
  return {
    ...endSession(session, stop, at, [], 'Session cancelled.'),
    ...(record !== undefined && { cycleRecord: record }),
  };
};

/** A cancel takes too long: the user is notified, and it continues. */
export const toSlowCancel = (session: Session, why: string, at: string): Move => {
  const message = `The program does not stop after it was cancelled: ${why} It is tried again; the session stays cancelling.`;
  return {
    to: { stage: session.stage, ...positionOf(session) },
    events: [event('warning', session, at, message, { code: 'cancel.slow', attempt: session.attempt })],
  };
};
