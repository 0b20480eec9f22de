import {
  type AttemptEnding,
  type AttemptRecord,
  type CycleRecord,
  type JsonValue,
  type Session,
  type SessionEvent,
} from '@fleet/contracts';
import type { Transition } from '@fleet/ports';

/** When the sweeper looks after a session whose program runs, in milliseconds: its end is usually seen at once without it. */
export const runningDueMs = 15_000;
/** When the sweeper looks after a step that was just made due, in milliseconds. */
const stepDueMs = 30_000;
/** A second loss in a row has a cause that may need time to pass, and a full disk does, in milliseconds. */
const laterRetryMs = 30_000;

/** The cycle with this attempt in it, in place of what was known of it. */
export const withAttempt = (record: CycleRecord, attempt: AttemptRecord): CycleRecord => ({
  ...record,
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
    },
  );
};

const endedEvent = (session: Session, attempt: AttemptRecord, ending: AttemptEnding): SessionEvent =>
  event('attempt_ended', session, ending.endedAt, ending.message, {
    attempt: attempt.attempt,
    kind: ending.kind,
    infrastructure: ending.infrastructure,
    durationMs: ending.durationMs,
    ...(ending.exitCode !== undefined && { exitCode: ending.exitCode }),
    ...(ending.signal !== undefined && { signal: ending.signal }),
    ...(ending.peakMemoryMiB !== undefined && { peakMemoryMiB: ending.peakMemoryMiB }),
  });

const place = (session: Session): { readonly cycle: number; readonly attempt: number } => ({
  cycle: session.cycle,
  attempt: session.attempt,
});

/** The program is seen to run for the first time. Nobody has to be woken: its end will be. */
export const toStarted = (session: Session, record: CycleRecord, attempt: AttemptRecord): Transition => ({
  sessionId: session.id,
  fromVersion: session.version,
  to: { stage: 'executing', ...place(session) },
  cycleRecord: withAttempt(record, attempt),
  events: [startedEvent(session, record, attempt)],
  dueInMs: runningDueMs,
  wakeNow: false,
});

/** What became of an attempt, with what the record does not know yet about its start. */
export interface EndedAttempt {
  readonly attempt: AttemptRecord;
  readonly ending: AttemptEnding;
  readonly startIsNews: boolean;
}

const eventsOf = (session: Session, record: CycleRecord, ended: EndedAttempt): readonly SessionEvent[] => [
  ...(ended.startIsNews ? [startedEvent(session, record, ended.attempt)] : []),
  endedEvent(session, ended.attempt, ended.ending),
];

/** The program ended by itself: analysis judges it. */
export const toAnalysis = (session: Session, record: CycleRecord, ended: EndedAttempt): Transition => ({
  sessionId: session.id,
  fromVersion: session.version,
  to: { stage: 'analysing', ...place(session) },
  cycleRecord: withAttempt(record, { ...ended.attempt, ending: ended.ending }),
  events: eventsOf(session, record, ended),
  dueInMs: stepDueMs,
});

/** True when the machine, not the program, is the cause: a new attempt is right. A cancel that outlived its session is such. */
export const deservesNewAttempt = (ending: AttemptEnding): boolean =>
  ending.infrastructure || ending.kind === 'cancelled';

/**
 * The machine lost the program: the next attempt, or the end of the session when it was lost `maxAttempts` times.
 * The first loss is repaired at once, later ones after a pause.
 */
export const toNextAttempt = (
  session: Session,
  record: CycleRecord,
  ended: EndedAttempt,
  limit: { readonly maxAttempts: number; readonly at: string },
): Transition => {
  const cycleRecord = withAttempt(record, { ...ended.attempt, ending: ended.ending });
  const losses = cycleRecord.attempts.filter(({ ending }) => ending !== undefined && deservesNewAttempt(ending)).length;
  const base = { sessionId: session.id, fromVersion: session.version, cycleRecord };
  const events = eventsOf(session, record, ended);
  if (losses >= limit.maxAttempts) {
    const detail = `${record.decision.program} was lost ${losses} times, which is the limit; the last time: ${ended.ending.message}`;
    const stop = { reason: 'infrastructure', detail, afterCycle: session.cycle } as const;
    const last = event('session_ended', session, limit.at, detail, { status: 'failed', reason: stop.reason });
    return { ...base, to: { ended: stop }, events: [...events, last], dueInMs: stepDueMs };
  }
  const atOnce = losses === 1 && ended.ending.kind !== 'disk_full';
  return {
    ...base,
    to: { stage: 'executing', cycle: session.cycle, attempt: session.attempt + 1 },
    events,
    dueInMs: atOnce ? stepDueMs : laterRetryMs,
    wakeNow: atOnce,
  };
};

/** Files of another run have this attempt's name: they stay, and the program runs under the next number. */
export const toConflictFree = (session: Session, record: CycleRecord, message: string, at: string): Transition => ({
  sessionId: session.id,
  fromVersion: session.version,
  to: { stage: 'executing', cycle: session.cycle, attempt: session.attempt + 1 },
  cycleRecord: record,
  events: [
    event('warning', session, at, `${message}; it runs again as attempt ${session.attempt + 1}`, {
      attempt: session.attempt,
      code: 'run.spec_conflict',
    }),
  ],
  dueInMs: stepDueMs,
});

/** The program is gone and the session with it. */
export const toCancelled = (session: Session, record: CycleRecord | undefined, at: string): Transition => {
  const detail = 'cancelled by request';
  return {
    sessionId: session.id,
    fromVersion: session.version,
    to: { ended: { reason: 'cancelled', detail, afterCycle: session.cycle } },
    ...(record !== undefined && { cycleRecord: record }),
    events: [event('session_ended', session, at, 'Session cancelled.', { status: 'cancelled', reason: 'cancelled' })],
    dueInMs: stepDueMs,
  };
};
