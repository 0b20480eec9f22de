import {
  isEnded,
  statusOfStopReason,
  type BackendName,
  type CycleRecord,
  type ProgramCatalogue,
  type Session,
  type SessionEvent,
  type SessionFit,
  type SessionHead,
  type StoredEvent,
} from '@fleet/contracts';
import {
  isoTime,
  systemClock,
  type AdvanceResult,
  type Clock,
  type NewSession,
  type Reopening,
  type ReopenResult,
  type SessionFilter,
  type SessionName,
  type SessionPage,
  type SessionRow,
  type SessionStore,
  type Transition,
} from '@fleet/ports';
import { beginningOf } from './beginning';
import { isAfter, parseEventId } from './event-id';
import { listedName } from './session-fields';
import { CANCEL_DUE_MS, CANCELLING, nextWord, transitionLine } from './transition-line';

interface Stored {
  session: Session;
  fit?: SessionFit | undefined;
  readonly transitions: string[];
  readonly events: StoredEvent[];
  /** The wake-up whose step failed last, and how many in a row did. */
  failed?: { readonly version: number; readonly wakeUps: number; readonly inARow: number };
}

/** The store's twin for tests of other parts: same rules (it passes the same contract), no Redis, gone with the process. */
export class MemorySessionStore implements SessionStore {
  private readonly sessions = new Map<string, Stored>();
  private readonly outbox = new Map<string, number>();
  private readonly due = new Map<string, number>();
  private readonly catalogues = new Map<BackendName, ProgramCatalogue>();
  private readonly listeners = new Set<() => void>();
  private eventNumber = 0;

  constructor(private readonly clock: Clock = systemClock) {}

  create(made: NewSession, events: readonly SessionEvent[], dueInMs: number): Promise<'created' | 'exists'> {
    if (this.sessions.has(made.id)) return Promise.resolve('exists');
    const session = copy(sessionOf(made));
    this.sessions.set(made.id, { session, fit: made.resume?.fit, transitions: [], events: [] });
    this.append(made.id, events);
    if (!isEnded(session.status)) {
      this.outbox.set(made.id, this.clock.now());
      this.due.set(made.id, this.clock.now() + dueInMs);
    }
    return Promise.resolve('created');
  }

  load(id: string): Promise<Session | undefined> {
    const stored = this.sessions.get(id);
    return Promise.resolve(stored === undefined ? undefined : copy(stored.session));
  }

  async loadHead(id: string): Promise<SessionHead | undefined> {
    const session = await this.load(id);
    return session === undefined ? undefined : headOf(session);
  }

  transitions(id: string): Promise<readonly string[]> {
    return Promise.resolve([...(this.sessions.get(id)?.transitions ?? [])]);
  }

  advance(transition: Transition): Promise<AdvanceResult> {
    const { sessionId: id, to } = transition;
    const stored = this.sessions.get(id);
    if (stored === undefined) return Promise.resolve({ applied: false, because: 'missing' });
    const before = stored.session;
    if (isEnded(before.status)) return Promise.resolve({ applied: false, because: 'ended' });
    if (before.version !== transition.fromVersion) return Promise.resolve({ applied: false, because: 'stale' });
    this.move(stored, {
      ...before,
      ...('ended' in to ? { status: statusOfStopReason[to.ended.reason], stop: to.ended } : to),
      cycles: withRecord(before.cycles, transition.cycleRecord),
    });
    keepFit(stored, transition.fit);
    stored.transitions.push(transitionLine(before, nextWord(to)));
    this.append(id, transition.events);
    this.outbox.delete(id);
    this.due.delete(id);
    if (!('ended' in to)) {
      if (transition.wakeNow !== false) this.outbox.set(id, this.clock.now());
      this.due.set(id, this.clock.now() + transition.dueInMs);
    }
    return Promise.resolve({ applied: true, head: headOf(stored.session) });
  }

  requestCancel(id: string, event: SessionEvent): Promise<'cancelling' | 'ended' | 'missing'> {
    const stored = this.sessions.get(id);
    if (stored === undefined) return Promise.resolve('missing');
    const before = stored.session;
    if (isEnded(before.status)) return Promise.resolve('ended');
    if (before.status === 'cancelling') return Promise.resolve('cancelling');
    this.move(stored, { ...before, status: 'cancelling' });
    stored.transitions.push(transitionLine(before, CANCELLING));
    this.append(id, [event]);
    this.outbox.set(id, this.clock.now());
    this.due.set(id, this.clock.now() + CANCEL_DUE_MS);
    return Promise.resolve('cancelling');
  }

  reopen(reopening: Reopening): Promise<ReopenResult> {
    const { sessionId: id, to, lastCycle = Infinity, request } = reopening;
    const stored = this.sessions.get(id);
    if (stored === undefined) return Promise.resolve({ applied: false, because: 'missing' });
    const { stop, ...before } = stored.session;
    if (!isEnded(before.status) || stop === undefined) return Promise.resolve({ applied: false, because: 'not_ended' });
    if (before.version !== reopening.fromVersion) return Promise.resolve({ applied: false, because: 'stale' });
    this.move(stored, {
      ...before,
      ...('ended' in to
        ? { status: statusOfStopReason[to.ended.reason], stop: to.ended }
        : { ...to, status: 'running' as const }),
      cycles: before.cycles.filter(({ cycle }) => cycle <= lastCycle),
      ...(request !== undefined && { request }),
    });
    keepFit(stored, reopening.fit);
    stored.transitions.push(transitionLine(before, nextWord(to)));
    this.append(id, reopening.events);
    if (!('ended' in to)) {
      this.outbox.set(id, this.clock.now());
      this.due.set(id, this.clock.now() + reopening.dueInMs);
    }
    return Promise.resolve({ applied: true, head: headOf(stored.session) });
  }

  list(filter: SessionFilter, limit: number, cursor?: string): Promise<SessionPage> {
    const matching = this.newestFirst()
      .filter(({ session }) => filter.status === undefined || filter.status === session.status)
      .filter(({ session: { request } }) => filter.proposal === undefined || filter.proposal === request.proposal)
      .filter(({ session: { request } }) => filter.beamline === undefined || filter.beamline === request.beamline)
      .filter(({ session }) => cursor === undefined || listedName(session) < cursor);
    const sessions = matching.slice(0, limit).map((stored) => this.rowOf(stored));
    const last = sessions.at(-1);
    return Promise.resolve(
      matching.length > limit && last !== undefined ? { sessions, nextCursor: listedName(last) } : { sessions },
    );
  }

  find({ title, idBeginning }: SessionName, limit: number): Promise<readonly SessionRow[]> {
    const found = this.newestFirst().filter(
      ({ session: { id, request } }) =>
        request.title === title || (idBeginning !== undefined && id.startsWith(idBeginning)),
    );
    return Promise.resolve(found.slice(0, limit).map((stored) => this.rowOf(stored)));
  }

  async events(id: string, afterId: string, limit: number): Promise<readonly StoredEvent[]> {
    const after = parseEventId(afterId);
    const stored = this.sessions.get(id)?.events ?? [];
    return Promise.resolve(stored.filter((event) => isAfter(event.id, after)).slice(0, limit));
  }

  async waitForEvents(id: string, afterId: string, waitMs: number): Promise<readonly StoredEvent[]> {
    const limit = 1000;
    const there = await this.events(id, afterId, limit);
    if (there.length > 0) return there;
    const until = Date.now() + waitMs;
    for (let left = waitMs; left > 0; left = until - Date.now()) {
      await this.somethingHappens(left);
      const arrived = await this.events(id, afterId, limit);
      if (arrived.length > 0) return arrived;
    }
    return [];
  }

  unacknowledged(olderThanMs: number, limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return Promise.resolve(this.headsUpTo(this.outbox, this.clock.now() - olderThanMs, limit, claimMs));
  }

  acknowledge(id: string, version: number): Promise<void> {
    if (this.sessions.get(id)?.session.version === version) this.outbox.delete(id);
    return Promise.resolve();
  }

  overdue(limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return Promise.resolve(this.headsUpTo(this.due, this.clock.now(), limit, claimMs));
  }

  postpone(id: string, version: number, dueInMs: number, wakeAgain: boolean): Promise<SessionHead | undefined> {
    const stored = this.sessions.get(id);
    if (stored?.session.version !== version || isEnded(stored.session.status)) return Promise.resolve(undefined);
    this.due.set(id, this.clock.now() + dueInMs);
    if (wakeAgain) {
      stored.session = { ...stored.session, wakeUps: stored.session.wakeUps + 1 };
      this.outbox.set(id, this.clock.now());
    }
    return Promise.resolve(headOf(stored.session));
  }

  countFailure(id: string, version: number): Promise<number> {
    const stored = this.sessions.get(id);
    if (stored?.session.version !== version || isEnded(stored.session.status)) return Promise.resolve(0);
    const { wakeUps } = stored.session;
    const before = stored.failed?.version === version ? stored.failed : undefined;
    if (before?.wakeUps === wakeUps) return Promise.resolve(before.inARow);
    const inARow = before?.wakeUps === wakeUps - 1 ? before.inARow + 1 : 1;
    stored.failed = { version, wakeUps, inARow };
    return Promise.resolve(inARow);
  }

  publishPrograms(catalogue: ProgramCatalogue): Promise<void> {
    this.catalogues.set(catalogue.backend, copy(catalogue));
    return Promise.resolve();
  }

  programs(backend: BackendName): Promise<ProgramCatalogue | undefined> {
    return Promise.resolve(this.catalogues.get(backend));
  }

  private newestFirst(): readonly Stored[] {
    return [...this.sessions.values()].sort((a, b) => (listedName(a.session) < listedName(b.session) ? 1 : -1));
  }

  private rowOf({ session, fit }: Stored): SessionRow {
    const { title, proposal, beamline } = session.request;
    const stopReason = session.stop?.reason;
    return copy({ ...headOf(session), title, proposal, beamline, stopReason, fit }) as SessionRow;
  }

  private move(stored: Stored, after: Session): void {
    const { version } = stored.session;
    stored.session = copy({ ...after, version: version + 1, wakeUps: 0, updatedAt: isoTime(this.clock) });
  }

  private append(id: string, events: readonly SessionEvent[]): void {
    for (const event of events) {
      this.eventNumber += 1;
      this.sessions.get(id)?.events.push(copy({ ...event, id: `${String(this.eventNumber)}-0` }));
    }
    for (const listener of this.listeners) listener();
  }

  private somethingHappens(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.listeners.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.listeners.add(done);
    });
  }

  private headsUpTo(index: Map<string, number>, until: number, limit: number, claimMs: number): readonly SessionHead[] {
    const first = [...index]
      .filter(([, at]) => at <= until)
      .sort(([, a], [, b]) => a - b)
      .slice(0, limit);
    if (claimMs > 0) for (const [id] of first) index.set(id, until + claimMs);
    return first.flatMap(([id]) => {
      const stored = this.sessions.get(id);
      return stored === undefined ? [] : [headOf(stored.session)];
    });
  }
}

/** As Redis would give it back: a copy, and without what JSON cannot carry. */
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const sessionOf = (made: NewSession): Session => {
  const { stop, ...place } = beginningOf(made);
  const { id, folder, request, createdAt } = made;
  const session = { id, ...place, version: 1, wakeUps: 0, folder, createdAt, updatedAt: createdAt, request };
  return stop === undefined ? session : { ...session, stop };
};

const headOf = (session: Session): SessionHead => {
  const { id, status, stage, cycle, attempt, version, wakeUps, folder, createdAt, updatedAt } = session;
  return { id, status, stage, cycle, attempt, version, wakeUps, folder, createdAt, updatedAt };
};

const keepFit = (stored: Stored, fit: Transition['fit']): void => {
  if (fit !== undefined) stored.fit = fit === 'none' ? undefined : fit;
};

const withRecord = (cycles: readonly CycleRecord[], record: CycleRecord | undefined): readonly CycleRecord[] =>
  record === undefined
    ? cycles
    : [...cycles.filter(({ cycle }) => cycle !== record.cycle), record].sort((a, b) => a.cycle - b.cycle);
