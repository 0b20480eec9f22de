import {
  isEnded,
  statusOfStopReason,
  type BackendName,
  type ProgramCatalogue,
  type Session,
  type SessionEvent,
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
import type { Redis } from 'ioredis';
import { beginningOf } from './beginning';
import { parseEventId } from './event-id';
import { EventNews } from './event-news';
import { keysOf, type Keys } from './keys';
import { LuaScript } from './lua-script';
import { reachingRedis } from './reaching-redis';
import { ReadableRecords } from './readable-records';
import {
  acknowledgeScript,
  advanceScript,
  cancelScript,
  countFailureScript,
  createScript,
  postponeScript,
  reopenScript,
} from './scripts.lua';
import { calledNames, cycleField, fieldsOf, headFields, headFrom, sessionFrom } from './session-fields';
import { SessionLists } from './session-lists';
import { CANCEL_DUE_MS, CANCELLING, nextWord } from './transition-line';
import { WaitingHeads } from './waiting-heads';

const scripts = {
  create: new LuaScript(createScript),
  advance: new LuaScript(advanceScript),
  cancel: new LuaScript(cancelScript),
  reopen: new LuaScript(reopenScript),
  acknowledge: new LuaScript(acknowledgeScript),
  postpone: new LuaScript(postponeScript),
  countFailure: new LuaScript(countFailureScript),
};

/** Events given to one reader at once. */
const EVENTS_AT_ONCE = 1000;

/**
 * The session records in Redis. Every write is one script; every read is one round trip, but `list` (see SessionLists).
 * Deadlines and ages of wake-ups are told by a clock of their own, which all machines that share this Redis share (see RedisClock).
 */
export class RedisSessionStore implements SessionStore {
  private readonly keys: Keys;
  private readonly news: EventNews;
  private readonly lists: SessionLists;
  private readonly waiting: WaitingHeads;

  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
    private readonly clock: Clock = systemClock,
    private readonly deadlines: Clock = clock,
  ) {
    this.keys = keysOf(prefix);
    this.news = new EventNews(redis);
    const records = new ReadableRecords(redis, this.keys);
    this.lists = new SessionLists(redis, this.keys, records);
    this.waiting = new WaitingHeads(redis, this.keys, records);
  }

  create(made: NewSession, events: readonly SessionEvent[], dueInMs: number): Promise<'created' | 'exists'> {
    const { id, request } = made;
    const fields = fieldsOf(made);
    const now = this.deadlines.now();
    const { status } = beginningOf(made);
    const { all, ofStatus, ofProposal, ofBeamline } = this.keys;
    const indexes = [all, ofStatus(status), ofProposal(request.proposal), ofBeamline(request.beamline)];
    const { session, events: stream, news, outbox, due, called } = this.keys;
    const keys = [session(id), stream(id), news(id), outbox, due, called, ...indexes];
    const args = [
      id,
      fields.listed,
      now,
      isEnded(status) ? '' : now + dueInMs,
      Object.keys(fields).length,
      ...Object.entries(fields).flat(),
      ...calledNames(made),
      ...events.map((event) => JSON.stringify(event)),
    ];
    return this.reach(async () => ((await scripts.create.run(this.redis, keys, args)) === 1 ? 'created' : 'exists'));
  }

  load(id: string): Promise<Session | undefined> {
    return this.reach(async () => sessionFrom(id, await this.redis.hgetall(this.keys.session(id))));
  }

  loadHead(id: string): Promise<SessionHead | undefined> {
    return this.reach(async () => headFrom(id, await this.redis.hmget(this.keys.session(id), ...headFields)));
  }

  transitions(id: string): Promise<readonly string[]> {
    return this.reach(() => this.redis.lrange(this.keys.transitions(id), 0, -1));
  }

  advance(transition: Transition): Promise<AdvanceResult> {
    const { sessionId: id, to, cycleRecord } = transition;
    const { session, transitions, events, news, outbox, due } = this.keys;
    const now = this.deadlines.now();
    const args = [
      this.prefix,
      id,
      transition.fromVersion,
      nextWord(to),
      ...placeArguments(to),
      isoTime(this.clock),
      now,
      now + transition.dueInMs,
      transition.wakeNow === false ? 0 : 1,
      cycleRecord === undefined ? '' : cycleField(cycleRecord.cycle),
      cycleRecord === undefined ? '' : JSON.stringify(cycleRecord),
      fitArgument(transition.fit),
      ...transition.events.map((event) => JSON.stringify(event)),
    ];
    const keys = [session(id), transitions(id), events(id), news(id), outbox, due];
    return this.reach(async () => advanceResult(id, (await scripts.advance.run(this.redis, keys, args)) as string[]));
  }

  requestCancel(id: string, event: SessionEvent): Promise<'cancelling' | 'ended' | 'missing'> {
    const { session, transitions, events, news, outbox, due } = this.keys;
    const now = this.deadlines.now();
    const args = [this.prefix, id, CANCELLING, isoTime(this.clock), now, now + CANCEL_DUE_MS, JSON.stringify(event)];
    const keys = [session(id), transitions(id), events(id), news(id), outbox, due];
    return this.reach(
      async () => (await scripts.cancel.run(this.redis, keys, args)) as 'cancelling' | 'ended' | 'missing',
    );
  }

  reopen(reopening: Reopening): Promise<ReopenResult> {
    const { sessionId: id, to, lastCycle, request } = reopening;
    const { session, transitions, events, news, outbox, due } = this.keys;
    const now = this.deadlines.now();
    const [stage = '', cycle = '', attempt = '', status, stop = ''] = placeArguments(to);
    const args = [
      this.prefix,
      id,
      reopening.fromVersion,
      nextWord(to),
      stage,
      cycle,
      attempt,
      status === '' || status === undefined ? 'running' : status,
      stop,
      isoTime(this.clock),
      now,
      now + reopening.dueInMs,
      lastCycle ?? '',
      request === undefined ? '' : JSON.stringify(request),
      fitArgument(reopening.fit),
      ...reopening.events.map((event) => JSON.stringify(event)),
    ];
    const keys = [session(id), transitions(id), events(id), news(id), outbox, due];
    return this.reach(async () => reopenResult(id, (await scripts.reopen.run(this.redis, keys, args)) as string[]));
  }

  list(filter: SessionFilter, limit: number, cursor?: string): Promise<SessionPage> {
    return this.reach(() => this.lists.page(filter, limit, cursor));
  }

  find(name: SessionName, limit: number): Promise<readonly SessionRow[]> {
    return this.reach(() => this.lists.called(name, limit));
  }

  async events(id: string, afterId: string, limit: number): Promise<readonly StoredEvent[]> {
    const after = parseEventId(afterId);
    return this.reach(async () => {
      const entries = await this.redis.xrange(this.keys.events(id), `(${after}`, '+', 'COUNT', limit);
      return entries.map(([eventId, [, text = '{}']]) => ({ ...(JSON.parse(text) as SessionEvent), id: eventId }));
    });
  }

  async waitForEvents(id: string, afterId: string, waitMs: number): Promise<readonly StoredEvent[]> {
    const there = await this.events(id, afterId, EVENTS_AT_ONCE);
    if (there.length > 0) return there;
    return this.reach(() =>
      this.news.until(this.keys.news(id), waitMs, async () => {
        const arrived = await this.events(id, afterId, EVENTS_AT_ONCE);
        return arrived.length > 0 ? arrived : undefined;
      }),
    ).then((arrived) => arrived ?? []);
  }

  unacknowledged(olderThanMs: number, limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return this.headsUpTo(this.keys.outbox, this.deadlines.now() - olderThanMs, limit, claimMs);
  }

  async acknowledge(id: string, version: number): Promise<void> {
    await this.reach(() =>
      scripts.acknowledge.run(this.redis, [this.keys.session(id), this.keys.outbox], [id, version]),
    );
  }

  overdue(limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return this.headsUpTo(this.keys.due, this.deadlines.now(), limit, claimMs);
  }

  postpone(id: string, version: number, dueInMs: number, wakeAgain: boolean): Promise<SessionHead | undefined> {
    const { session, outbox, due } = this.keys;
    const now = this.deadlines.now();
    const args = [id, version, now, now + dueInMs, wakeAgain ? 1 : 0];
    return this.reach(async () => {
      const moved = await scripts.postpone.run(this.redis, [session(id), outbox, due], args);
      if (moved !== 1) return undefined;
      const head = await this.loadHead(id);
      return head?.version === version ? head : undefined;
    });
  }

  async countFailure(id: string, version: number): Promise<number> {
    return this.reach(
      async () => (await scripts.countFailure.run(this.redis, [this.keys.session(id)], [version])) as number,
    );
  }

  async publishPrograms(catalogue: ProgramCatalogue): Promise<void> {
    await this.reach(() => this.redis.set(this.keys.programs(catalogue.backend), JSON.stringify(catalogue)));
  }

  programs(backend: BackendName): Promise<ProgramCatalogue | undefined> {
    return this.reach(async () => {
      const text = await this.redis.get(this.keys.programs(backend));
      return text === null ? undefined : (JSON.parse(text) as ProgramCatalogue);
    });
  }

  /** Ends the connection on which events are announced; the other one belongs to who made it. */
  close(): void {
    this.news.close();
  }

  private reach<T>(act: () => Promise<T>): Promise<T> {
    return reachingRedis(this.redis, act);
  }

  private headsUpTo(index: string, until: number, limit: number, claimMs: number): Promise<readonly SessionHead[]> {
    const claimedUntil = claimMs === 0 ? undefined : until + claimMs;
    return this.reach(() => this.waiting.upTo(index, until, limit, claimedUntil));
  }
}

const fitArgument = (fit: Transition['fit']): string => (typeof fit === 'object' ? JSON.stringify(fit) : (fit ?? ''));

const placeArguments = (to: Transition['to']): readonly (string | number)[] =>
  'ended' in to
    ? ['', '', '', statusOfStopReason[to.ended.reason], JSON.stringify(to.ended)]
    : [to.stage, to.cycle, to.attempt, '', ''];

const advanceResult = (id: string, [outcome, ...values]: readonly string[]): AdvanceResult => {
  const head = headFrom(id, values);
  if (outcome === 'applied' && head !== undefined) return { applied: true, head };
  return { applied: false, because: outcome as 'stale' | 'missing' | 'ended' };
};

const reopenResult = (id: string, [outcome, ...values]: readonly string[]): ReopenResult => {
  const head = headFrom(id, values);
  if (outcome === 'applied' && head !== undefined) return { applied: true, head };
  return { applied: false, because: outcome as 'stale' | 'missing' | 'not_ended' };
};
