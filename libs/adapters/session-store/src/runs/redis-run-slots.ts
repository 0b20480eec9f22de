import type { Claimant, Nodes, SharedRun, SiteLimits, Start, Waiter } from '@fleet/fair-shares';
import { attemptOfName } from '@fleet/contracts';
import {
  type Clock,
  dayOf,
  isoOf,
  type RunCensus,
  type RunSlots,
  type SlotAnswer,
  systemClock,
  type WaitKind,
  type WholeLine,
} from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import {
  askScript,
  countedScript,
  grantScript,
  lineScript,
  releaseScript,
  runningScript,
  waitScript,
} from './runs.lua';

const scripts = {
  ask: new LuaScript(askScript),
  grant: new LuaScript(grantScript),
  running: new LuaScript(runningScript),
  wait: new LuaScript(waitScript),
  release: new LuaScript(releaseScript),
  counted: new LuaScript(countedScript),
  line: new LuaScript(lineScript),
};

const nodes: readonly Nodes[] = ['cpu', 'gpu'];

/** A list of Redis, taken apart into rows of so many. */
const rowsOf = (flat: readonly string[], width: number): readonly (readonly string[])[] =>
  Array.from({ length: flat.length / width }, (_, row) => flat.slice(row * width, (row + 1) * width));
const fieldsOf = (flat: readonly string[]): ReadonlyMap<string, string> =>
  new Map(rowsOf(flat, 2).map(([name = '', value = '']) => [name, value]));
const numbersOf = (flat: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...fieldsOf(flat)].map(([name, value]) => [name, Number(value)]));
const waitersOf = (flat: readonly string[]): readonly Waiter[] =>
  rowsOf(flat, 3).map(([arrival, since, run = '']) => ({
    ...(JSON.parse(run) as SharedRun),
    since: Number(since),
    arrival: Number(arrival),
  }));

/** Counts, starts of days, turns, numbers, waiters. */
type LineReply = readonly [string[], string[], string[], string[], string[]];

/** Places for runs in Redis, and the line of those that wait: each change is one script. */
export class RedisRunSlots implements RunSlots {
  private readonly slots: Keys['slots'];
  private readonly due: string;
  private readonly keys: readonly string[];

  constructor(
    private readonly redis: Redis,
    prefix: string,
    private readonly clock: Clock = systemClock,
  ) {
    const { slots, due } = keysOf(prefix);
    this.slots = slots;
    this.due = due;
    const { held, counts, waiting, line, stuck, runs, from, days, turns, numbers, arrivals } = slots;
    this.keys = [held, counts, waiting, line, stuck, runs, from, days, turns, numbers, arrivals];
  }

  async ask(claimant: Claimant, countedWithinMs: number): Promise<SlotAnswer> {
    const now = this.clock.now();
    const answer = await this.run('ask', [now, now - countedWithinMs, dayOf(now), JSON.stringify(claimant)]);
    if (answer === 'uncounted') return { taken: false, uncounted: true };
    if (answer === 'before' || answer === 'taken') return { taken: true, before: answer === 'before' };
    const full = [...claimant.quotas, ...claimant.claims].find(({ key }) => key === answer);
    return { taken: false, ...(full !== undefined && { full }) };
  }

  async line(): Promise<WholeLine> {
    const [counts, days, turns, numbers, waiters] = (await this.run('line', [])) as LineReply;
    const now = this.clock.now();
    const few = fieldsOf(numbers);
    const numberOf = (name: string): number => Number(few.get(name) ?? 0);
    const site = few.get('site');
    const today = `${dayOf(now)} `;
    const started = Object.entries(numbersOf(days))
      .filter(([field]) => field.startsWith(today))
      .map(([field, count]) => [field.slice(today.length), count] as const);
    return {
      revision: numberOf('revision'),
      waiters: waitersOf(waiters),
      ...(site !== undefined && { site: JSON.parse(site) as SiteLimits }),
      typicalMs: Object.fromEntries(
        nodes.filter((one) => few.has(`typical:${one}`)).map((one) => [one, numberOf(`typical:${one}`)]),
      ),
      census: {
        now,
        taken: numbersOf(counts),
        started: Object.fromEntries(started),
        turns: numbersOf(turns),
        turn: numberOf('turn'),
        noRoom: nodes.filter((one) => few.has(`noRoom:${one}`)),
      },
    };
  }

  async grant(starts: readonly Start[], revision: number): Promise<readonly string[] | undefined> {
    const now = this.clock.now();
    const each = starts.flatMap((start) => [
      JSON.stringify(start),
      attemptOfName(start.run.name)?.sessionId ?? start.run.name,
    ]);
    const args = [now, dayOf(now), revision, ...each];
    const granted = await reachingRedis(this.redis, () =>
      scripts.grant.run(this.redis, [...this.keys, this.due], args),
    );
    return granted === 'stale' ? undefined : (granted as readonly string[]);
  }

  async running(claimant: Claimant): Promise<void> {
    await this.run('running', [this.clock.now(), JSON.stringify(claimant)]);
  }

  async waiting(run: SharedRun, kind: WaitKind): Promise<void> {
    await this.run('wait', [this.clock.now(), kind, JSON.stringify(run)]);
  }

  async release(name: string): Promise<boolean> {
    return ((await this.run('release', [this.clock.now(), name])) as number) > 0;
  }

  stuck(): Promise<readonly string[]> {
    return reachingRedis(this.redis, async () => (await this.redis.smembers(this.slots.stuck)).sort());
  }

  members(): Promise<readonly string[]> {
    return reachingRedis(this.redis, async () => {
      const [holding, waiting] = await Promise.all([
        this.redis.hkeys(this.slots.held),
        this.redis.zrange(this.slots.waiting, '0', '-1'),
      ]);
      return [...new Set([...holding, ...waiting])].sort();
    });
  }

  async counted(site: SiteLimits): Promise<void> {
    const now = this.clock.now();
    await this.run('counted', [now, dayOf(now), JSON.stringify(site)]);
  }

  census(): Promise<RunCensus> {
    return reachingRedis(this.redis, async () => {
      const [counts, waiting, [, oldest]] = await Promise.all([
        this.redis.hgetall(this.slots.counts),
        this.redis.zcard(this.slots.waiting),
        this.redis.zrange(this.slots.waiting, '0', '0', 'WITHSCORES'),
      ]);
      return {
        taken: Object.fromEntries(Object.entries(counts).map(([key, count]) => [key, Number(count)])),
        waiting,
        ...(oldest !== undefined && { oldestWaitingSince: isoOf(Number(oldest)) }),
      };
    });
  }

  private run(script: keyof typeof scripts, args: readonly (string | number)[]): Promise<unknown> {
    return reachingRedis(this.redis, () => scripts[script].run(this.redis, this.keys, args));
  }
}
