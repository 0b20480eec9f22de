import {
  isEnded,
  statusOfStopReason,
  type CycleRecord,
  type Session,
  type SessionEvent,
  type SessionHead,
} from '@fleet/contracts/sessions';
import {
  type AdvanceResult,
  type AdviseResult,
  type Advising,
  beginningOf,
  CANCEL_DUE_MS,
  CANCELLING,
  type Clock,
  isoTime,
  type NewSession,
  nextWord,
  type PrioritiseResult,
  type Prioritising,
  type Reopening,
  type ReopenResult,
  type SessionRecords,
  type Transition,
  transitionLine,
} from '@fleet/ports';
import { contentDigests } from '@fleet/files';
import { headOf, progressOf, waitingDecisionOf } from '@fleet/session-report';
import { copy, type MemoryState, type Stored } from './memory-state';

export class MemorySessionRecords implements SessionRecords {
  constructor(
    private readonly state: MemoryState,
    private readonly clock: Clock,
  ) {}

  create(made: NewSession, events: readonly SessionEvent[], dueInMs: number): Promise<'created' | 'exists'> {
    if (this.state.sessions.has(made.id)) return Promise.resolve('exists');
    const session = copy(sessionOf(made));
    const digests = contentDigests(made);
    const content = digests === undefined ? [] : [digests.data, digests.everything];
    const progress = progressOf(session);
    this.state.sessions.set(made.id, { session, progress, content, transitions: [], events: [] });
    this.state.append(made.id, events);
    if (!isEnded(session.status)) {
      this.state.outbox.set(made.id, this.clock.now());
      this.state.due.set(made.id, this.clock.now() + dueInMs);
      this.state.oweFiles(made.id, this.clock.now());
    }
    return Promise.resolve('created');
  }

  load(id: string): Promise<Session | undefined> {
    const stored = this.state.sessions.get(id);
    if (stored === undefined) return Promise.resolve(undefined);
    const { session, progress } = stored;
    const waiting = waitingDecisionOf(session, progress.decision);
    return Promise.resolve(copy(waiting === undefined ? session : { ...session, waiting }));
  }

  loadHead(id: string): Promise<SessionHead | undefined> {
    const stored = this.state.sessions.get(id);
    return Promise.resolve(stored === undefined ? undefined : copy(headOf(stored.session)));
  }

  advance(transition: Transition): Promise<AdvanceResult> {
    const { sessionId: id, to } = transition;
    const stored = this.state.sessions.get(id);
    if (stored === undefined) return Promise.resolve({ applied: false, reason: 'missing' });
    const before = stored.session;
    if (isEnded(before.status)) return Promise.resolve({ applied: false, reason: 'ended' });
    if (before.version !== transition.fromVersion) return Promise.resolve({ applied: false, reason: 'stale' });
    if (transition.guidance !== undefined && transition.guidance !== revisionOf(before))
      return Promise.resolve({ applied: false, reason: 'advised' });
    this.move(stored, {
      ...before,
      ...('ended' in to ? { status: statusOfStopReason[to.ended.reason], stop: to.ended } : to),
      cycles: withRecord(before.cycles, transition.cycleRecord),
      ...replaced({ guidance: transition.reading }),
    });
    keepProgress(stored, transition.progress);
    stored.transitions.push(transitionLine(before, nextWord(to)));
    this.state.append(id, transition.events);
    if (owesFiles(transition)) this.state.oweFiles(id, this.clock.now());
    this.state.outbox.delete(id);
    this.state.due.delete(id);
    if (!('ended' in to)) {
      if (transition.wakeNow !== false) this.state.outbox.set(id, this.clock.now());
      this.state.due.set(id, this.clock.now() + transition.dueInMs);
    }
    return Promise.resolve({ applied: true, head: headOf(stored.session) });
  }

  requestCancel(id: string, event: SessionEvent): Promise<'cancelling' | 'ended' | 'missing'> {
    const stored = this.state.sessions.get(id);
    if (stored === undefined) return Promise.resolve('missing');
    const before = stored.session;
    if (isEnded(before.status)) return Promise.resolve('ended');
    if (before.status === 'cancelling') return Promise.resolve('cancelling');
    this.move(stored, { ...before, status: 'cancelling' });
    stored.transitions.push(transitionLine(before, CANCELLING));
    this.state.append(id, [event]);
    this.state.oweFiles(id, this.clock.now());
    this.state.outbox.set(id, this.clock.now());
    this.state.due.set(id, this.clock.now() + CANCEL_DUE_MS);
    return Promise.resolve('cancelling');
  }

  advise({ sessionId: id, from, guidance, events }: Advising): Promise<AdviseResult> {
    const stored = this.state.sessions.get(id);
    if (stored === undefined) return Promise.resolve('missing');
    const { session } = stored;
    if (session.status !== 'running') return Promise.resolve('idle');
    if (revisionOf(session) !== from.revision) return Promise.resolve('stale');
    if (session.stage !== from.stage || session.cycle !== from.cycle) return Promise.resolve('moved');
    stored.session = copy({ ...session, guidance });
    this.state.append(id, events);
    this.state.oweFiles(id, this.clock.now());
    return Promise.resolve('applied');
  }

  prioritise({ sessionId: id, fromVersion, request, events, dueInMs }: Prioritising): Promise<PrioritiseResult> {
    const stored = this.state.sessions.get(id);
    if (stored === undefined) return Promise.resolve({ applied: false, reason: 'missing' });
    const before = stored.session;
    if (before.status !== 'running') return Promise.resolve({ applied: false, reason: 'idle' });
    if (before.version !== fromVersion) return Promise.resolve({ applied: false, reason: 'stale' });
    this.move(stored, { ...before, request });
    stored.transitions.push(transitionLine(before, before.stage));
    this.state.append(id, events);
    this.state.oweFiles(id, this.clock.now());
    this.state.outbox.set(id, this.clock.now());
    this.state.due.set(id, this.clock.now() + dueInMs);
    return Promise.resolve({ applied: true, head: headOf(stored.session) });
  }

  reopen(reopening: Reopening): Promise<ReopenResult> {
    const { sessionId: id, to, lastCycle = Infinity } = reopening;
    const stored = this.state.sessions.get(id);
    if (stored === undefined) return Promise.resolve({ applied: false, reason: 'missing' });
    const { stop, ...before } = stored.session;
    if (!isEnded(before.status) || stop === undefined) return Promise.resolve({ applied: false, reason: 'not_ended' });
    if (before.version !== reopening.fromVersion) return Promise.resolve({ applied: false, reason: 'stale' });
    this.move(stored, {
      ...before,
      ...('ended' in to
        ? { status: statusOfStopReason[to.ended.reason], stop: to.ended }
        : { ...to, status: 'running' as const }),
      cycles: before.cycles.filter(({ cycle }) => cycle <= lastCycle),
      ...replaced(reopening),
    });
    keepProgress(stored, reopening.progress);
    stored.transitions.push(transitionLine(before, nextWord(to)));
    this.state.append(id, reopening.events);
    this.state.oweFiles(id, this.clock.now());
    if (!('ended' in to)) {
      this.state.outbox.set(id, this.clock.now());
      this.state.due.set(id, this.clock.now() + reopening.dueInMs);
    }
    return Promise.resolve({ applied: true, head: headOf(stored.session) });
  }

  private move(stored: Stored, after: Session): void {
    const { version } = stored.session;
    stored.session = copy({ ...after, version: version + 1, wakeUps: 0, updatedAt: isoTime(this.clock) });
  }
}

const owesFiles = ({ to, cycleRecord }: Transition): boolean => 'ended' in to || cycleRecord?.result !== undefined;

const revisionOf = ({ guidance }: Session): number => guidance?.revision ?? 1;

const sessionOf = (made: NewSession): Session => {
  const { stop, ...place } = beginningOf(made);
  const { id, folder, request, createdAt, guidance } = made;
  const given = { request, ...(guidance !== undefined && { guidance }) };
  const session = { id, ...place, version: 1, wakeUps: 0, folder, createdAt, updatedAt: createdAt, ...given };
  return stop === undefined ? session : { ...session, stop };
};

/** Applies the replacements of a move. */
const replaced = ({
  request,
  guidance,
}: {
  readonly [Part in 'request' | 'guidance']?: Session[Part] | undefined;
}): Partial<Pick<Session, 'request' | 'guidance'>> => ({
  ...(request !== undefined && { request }),
  ...(guidance !== undefined && { guidance }),
});

const keepProgress = (stored: Stored, progress: Transition['progress']): void => {
  if (progress !== undefined) stored.progress = copy(progress);
};

const withRecord = (cycles: readonly CycleRecord[], record: CycleRecord | undefined): readonly CycleRecord[] =>
  record === undefined
    ? cycles
    : [...cycles.filter(({ cycle }) => cycle !== record.cycle), record].sort((a, b) => a.cycle - b.cycle);
