import {
  isEnded,
  statusOfStopReason,
  type RowProgress,
  type Session,
  type SessionEvent,
  type SessionFit,
  type SessionHead,
  type SessionOutcome,
  type SessionStop,
} from '@fleet/contracts';
import {
  type AdvanceResult,
  type AdviseResult,
  type Advising,
  beginningOf,
  CANCEL_DUE_MS,
  CANCELLING,
  isoTime,
  type NewSession,
  type NextPlace,
  nextWord,
  type PrioritiseResult,
  type Prioritising,
  type Reopening,
  type ReopenResult,
  type SessionRecords,
  type Transition,
} from '@fleet/ports';
import { outcomeOf, outcomesOfReason } from '@fleet/session-report';
import { indexesOf, outcomeOfNew } from './index-places';
import { LuaScript } from './lua-script';
import { packedPage, packedRecord } from './packing/cycle-page';
import { batchOf, firstIdAfter, lastIdOf, packedEvents, type StreamEntry } from './packing/event-batch';
import { pack } from './packing/pack';
import { reachingRedis } from './reaching-redis';
import type { RedisContext } from './redis-context';
import { advanceScript, adviseScript, cancelScript, createScript, prioritiseScript, reopenScript } from './scripts.lua';
import {
  calledNames,
  cycleField,
  fieldsOf,
  guidanceFields,
  headFields,
  headFrom,
  pagedField,
  progressFrom,
  readable,
  sessionFrom,
} from './session-fields';
import { together } from './together';
import { noticesArgument } from './webhooks/notices-argument';

const scripts = {
  create: new LuaScript(createScript),
  advance: new LuaScript(advanceScript),
  advise: new LuaScript(adviseScript),
  cancel: new LuaScript(cancelScript),
  prioritise: new LuaScript(prioritiseScript),
  reopen: new LuaScript(reopenScript),
};

/** One hash for each session. A write is one script, which also keeps the indexes, the outbox and the deadlines. */
export class RedisSessionRecords implements SessionRecords {
  constructor(private readonly at: RedisContext) {}

  create(made: NewSession, events: readonly SessionEvent[], dueInMs: number): Promise<'created' | 'exists'> {
    const { id } = made;
    const fields = fieldsOf(made);
    const now = this.at.deadlines.now();
    const { status } = beginningOf(made);
    const indexes = indexesOf(this.at.keys, made);
    const { session, events: stream, news, outbox, due, called, ended, feed } = this.at.keys;
    const keys = [session(id), stream(id), news(id), outbox, due, called, ended, feed, ...indexes];
    const args = [
      id,
      fields.listed,
      now,
      isEnded(status) ? '' : now + dueInMs,
      Object.keys(fields).length,
      ...eventArguments(events),
      ...Object.entries(fields).flat(),
      ...calledNames(made),
      this.at.prefix,
      noticesArgument({ id, version: 1, now }, { events, stop: made.resume?.stop }, { outcome: outcomeOfNew(made) }),
    ];
    return this.reach(async () => ((await scripts.create.run(this.at.redis, keys, args)) === 1 ? 'created' : 'exists'));
  }

  load(id: string): Promise<Session | undefined> {
    return this.reach(async () => sessionFrom(id, await this.at.redis.hgetallBuffer(this.at.keys.session(id))));
  }

  loadHead(id: string): Promise<SessionHead | undefined> {
    return this.reach(async () => headFrom(id, await this.at.redis.hmget(this.at.keys.session(id), ...headFields)));
  }

  async advance(transition: Transition): Promise<AdvanceResult> {
    const { sessionId: id, to, cycleRecord } = transition;
    const { session, transitions, events, news, outbox, due, ended, feed } = this.at.keys;
    const now = this.at.deadlines.now();
    const page = await this.pageOf(transition, now);
    const end = await this.endAt(id, to, transition.progress);
    const args = [
      this.at.prefix,
      id,
      transition.fromVersion,
      nextWord(to),
      ...placeArguments(to),
      isoTime(this.at.clock),
      now,
      now + transition.dueInMs,
      transition.wakeNow === false ? 0 : 1,
      cycleRecord === undefined ? '' : cycleField(cycleRecord.cycle),
      page?.packed ?? (cycleRecord === undefined ? '' : packedRecord(cycleRecord)),
      progressArgument(transition.progress),
      ...eventArguments(transition.events),
      page?.upTo ?? '',
      transition.guidance ?? '',
      end.outcome,
      noticesArgument({ id, version: transition.fromVersion + 1, now }, { ...transition, stop: stopOf(to) }, end),
      ...(transition.reading === undefined ? [] : guidanceFields(transition.reading).flat()),
    ];
    const keys = [session(id), transitions(id), events(id), news(id), outbox, due, ended, feed];
    return this.reach(
      async () => changeResult(id, (await scripts.advance.run(this.at.redis, keys, args)) as string[]) as AdvanceResult,
    );
  }

  requestCancel(id: string, event: SessionEvent): Promise<'cancelling' | 'ended' | 'missing'> {
    const { session, transitions, events, news, outbox, due, feed } = this.at.keys;
    const now = this.at.deadlines.now();
    const args = [
      this.at.prefix,
      id,
      CANCELLING,
      isoTime(this.at.clock),
      now,
      now + CANCEL_DUE_MS,
      ...eventArguments([event]),
    ];
    const keys = [session(id), transitions(id), events(id), news(id), outbox, due, feed];
    return this.reach(
      async () => (await scripts.cancel.run(this.at.redis, keys, args)) as 'cancelling' | 'ended' | 'missing',
    );
  }

  advise({ sessionId: id, from, guidance, events }: Advising): Promise<AdviseResult> {
    const { session, events: stream, news, feed } = this.at.keys;
    const args = [
      id,
      from.revision,
      from.stage,
      from.cycle,
      this.at.deadlines.now(),
      ...eventArguments(events),
      ...guidanceFields(guidance).flat(),
    ];
    const keys = [session(id), stream(id), news(id), feed];
    return this.reach(async () => (await scripts.advise.run(this.at.redis, keys, args)) as AdviseResult);
  }

  prioritise({ sessionId: id, fromVersion, request, events, dueInMs }: Prioritising): Promise<PrioritiseResult> {
    const { session, transitions, events: stream, news, outbox, due, feed } = this.at.keys;
    const now = this.at.deadlines.now();
    const args = [
      id,
      fromVersion,
      pack(JSON.stringify(request)),
      isoTime(this.at.clock),
      now,
      now + dueInMs,
      ...eventArguments(events),
    ];
    const keys = [session(id), transitions(id), stream(id), news(id), outbox, due, feed];
    return this.reach(
      async () =>
        changeResult(id, (await scripts.prioritise.run(this.at.redis, keys, args)) as string[]) as PrioritiseResult,
    );
  }

  async reopen(reopening: Reopening): Promise<ReopenResult> {
    const { sessionId: id, to, lastCycle, request, guidance } = reopening;
    const { session, transitions, events, news, outbox, due, ended, feed } = this.at.keys;
    const now = this.at.deadlines.now();
    const [stage = '', cycle = '', attempt = '', status, stop = ''] = placeArguments(to);
    const end = await this.endAt(id, to, reopening.progress);
    const args = [
      this.at.prefix,
      id,
      reopening.fromVersion,
      nextWord(to),
      stage,
      cycle,
      attempt,
      status === '' || status === undefined ? 'running' : status,
      stop,
      isoTime(this.at.clock),
      now,
      now + reopening.dueInMs,
      lastCycle ?? '',
      request === undefined ? '' : pack(JSON.stringify(request)),
      progressArgument(reopening.progress),
      ...eventArguments(reopening.events),
      end.outcome,
      noticesArgument({ id, version: reopening.fromVersion + 1, now }, { ...reopening, stop: stopOf(to) }, end),
      ...(guidance === undefined ? [] : guidanceFields(guidance).flat()),
    ];
    const keys = [session(id), transitions(id), events(id), news(id), outbox, due, ended, feed];
    return this.reach(
      async () => changeResult(id, (await scripts.reopen.run(this.at.redis, keys, args)) as string[]) as ReopenResult,
    );
  }

  /**
   * The page of a cycle that ends with this move; undefined where none does. What is read here is what the move finds: an event that came
   * after it has changed the version, or the guidance, by which such a move is fenced.
   */
  private async pageOf(transition: Transition, now: number): Promise<PackedPage | undefined> {
    const { sessionId: id, cycleRecord, events } = transition;
    if (cycleRecord?.result === undefined || !leaves(cycleRecord.cycle, transition.to)) return undefined;
    const { redis, keys } = this.at;
    const [entries, transitions, paged] = await this.reach(() =>
      together<[StreamEntry[], string[], string | null]>(
        redis
          .multi()
          .xrangeBuffer(keys.events(id), '-', '+')
          .lrange(keys.transitions(id), 0, -1)
          .hget(keys.session(id), pagedField),
      ),
    );
    const before = readable(id, 'events', () => entries.map(batchOf));
    const last = entries.at(-1)?.[0].toString() ?? paged ?? undefined;
    const batches = events.length === 0 ? before : [...before, { first: firstIdAfter(last, now), events }];
    const upTo = batches.flatMap((batch) => lastIdOf(batch) ?? []).at(-1) ?? last;
    if (upTo === undefined) return undefined;
    return { packed: packedPage({ record: cycleRecord, batches, transitions }), upTo };
  }

  /**
   * What comes of the session where a move ends it; '' where it goes on. What is read here is what the move finds: the progress changes only
   * with the version, by which the move is fenced.
   */
  private async endAt(id: string, to: NextPlace, progress: RowProgress | undefined): Promise<MoveEnd> {
    if (!('ended' in to)) return { outcome: '' };
    const ended = { status: statusOfStopReason[to.ended.reason], stop: to.ended };
    // Most reasons say it alone; then nothing is read.
    if (outcomesOfReason(to.ended.reason).length === 1) return { outcome: outcomeOf(ended) ?? '', fit: progress?.fit };
    const { redis, keys } = this.at;
    const { fit } = progress ?? progressFrom(id, await this.reach(() => redis.hget(keys.session(id), 'progress')));
    return { outcome: outcomeOf({ ...ended, fit }) ?? '', fit };
  }

  private reach<T>(act: () => Promise<T>): Promise<T> {
    return reachingRedis(this.at.redis, act);
  }
}

/** What comes of a session that a move ends; '': it goes on. */
interface MoveEnd {
  readonly outcome: SessionOutcome | '';
  readonly fit?: SessionFit | undefined;
}

interface PackedPage {
  readonly packed: string | Buffer;
  /** Id of its last event. */
  readonly upTo: string;
}

const stopOf = (to: NextPlace): SessionStop | undefined => ('ended' in to ? to.ended : undefined);

const leaves = (cycle: number, to: Transition['to']): boolean => 'ended' in to || to.cycle !== cycle;

const eventArguments = (events: readonly SessionEvent[]): readonly [number, string | Buffer] => [
  events.length,
  packedEvents(events),
];

const progressArgument = (progress: Transition['progress']): string =>
  progress === undefined ? '' : JSON.stringify(progress);

const placeArguments = (to: Transition['to']): readonly (string | number)[] =>
  'ended' in to
    ? ['', '', '', statusOfStopReason[to.ended.reason], JSON.stringify(to.ended)]
    : [to.stage, to.cycle, to.attempt, '', ''];

/** What a script answers: 'applied' with what the head is made of, or why nothing was changed. */
type Changed =
  { readonly applied: true; readonly head: SessionHead } | { readonly applied: false; readonly because: string };

const changeResult = (id: string, [because = '', ...values]: readonly string[]): Changed => {
  const head = because === 'applied' ? headFrom(id, values) : undefined;
  return head === undefined ? { applied: false, because } : { applied: true, head };
};
