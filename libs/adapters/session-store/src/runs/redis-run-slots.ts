import { systemClock, type Clock, type RunCensus, type RunSlots, type SlotClaim, type SlotResult } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import { isoOf } from './moments';
import { releaseScript, takeScript, waitScript } from './runs.lua';

const scripts = {
  take: new LuaScript(takeScript),
  wait: new LuaScript(waitScript),
  release: new LuaScript(releaseScript),
};

/** Places for runs in Redis: who holds what in one hash, how many hold each key in another. */
export class RedisRunSlots implements RunSlots {
  private readonly slots: Keys['slots'];

  constructor(
    private readonly redis: Redis,
    prefix: string,
    private readonly clock: Clock = systemClock,
  ) {
    this.slots = keysOf(prefix).slots;
  }

  async take(name: string, claims: readonly SlotClaim[]): Promise<SlotResult> {
    const [result, inTheWay] = await this.placed(name, claims, false);
    const full = claims.find(({ key }) => key === inTheWay);
    return full === undefined ? { taken: true, before: result === 'before' } : { taken: false, full };
  }

  async running(name: string, claims: readonly SlotClaim[]): Promise<void> {
    const unlimited = claims.map(({ key }) => ({ key, limit: 0 }));
    await this.placed(name, unlimited, true);
  }

  async waiting(name: string, place: 'kept' | 'given_back'): Promise<void> {
    const args = [name, this.clock.now(), place === 'given_back' ? 1 : 0];
    await reachingRedis(this.redis, () => scripts.wait.run(this.redis, this.keys(), args));
  }

  async release(name: string): Promise<void> {
    await reachingRedis(this.redis, () => scripts.release.run(this.redis, this.keys(), [name]));
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

  private placed(name: string, claims: readonly SlotClaim[], started: boolean): Promise<readonly string[]> {
    const held = JSON.stringify(claims.map(({ key }) => key));
    const args = [name, held, started ? 1 : 0, ...claims.flatMap(({ key, limit }) => [key, limit])];
    return reachingRedis(this.redis, async () => {
      return (await scripts.take.run(this.redis, this.keys(), args)) as readonly string[];
    });
  }

  private keys(): readonly string[] {
    return [this.slots.held, this.slots.counts, this.slots.waiting];
  }
}
