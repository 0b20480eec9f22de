import { strikesOfOrphan, type KnownOrphan } from '@fleet/contracts';
import { type Clock, isoOf, type Orphan, type OrphanRegister, systemClock } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import { removedScript, requestRemovalScript, sawScript } from './runs.lua';

const scripts = {
  saw: new LuaScript(sawScript),
  requestRemoval: new LuaScript(requestRemovalScript),
  removed: new LuaScript(removedScript),
};

/** Runs that look like orphans, in Redis: what they are, how often they were seen, and which are to go. */
export class RedisOrphanRegister implements OrphanRegister {
  private readonly orphans: Keys['orphans'];

  constructor(
    private readonly redis: Redis,
    prefix: string,
    private readonly clock: Clock = systemClock,
  ) {
    this.orphans = keysOf(prefix).orphans;
  }

  async saw(orphans: readonly Orphan[], apartMs: number): Promise<void> {
    const { found, strikes, removing } = this.orphans;
    const entries = orphans.flatMap((orphan) => [orphan.name, JSON.stringify(orphan)]);
    const args = [this.clock.now(), apartMs, ...entries];
    await reachingRedis(this.redis, () => scripts.saw.run(this.redis, [found, strikes, removing], args));
  }

  list(): Promise<readonly KnownOrphan[]> {
    return reachingRedis(this.redis, async () => {
      const [found, strikes, removing] = await Promise.all([
        this.redis.hgetall(this.orphans.found),
        this.redis.hgetall(this.orphans.strikes),
        this.redis.smembers(this.orphans.removing),
      ]);
      return Object.entries(found)
        .map(([name, text]) => {
          const [count, first] = (strikes[name] ?? '0 0').split(' ');
          return {
            ...(JSON.parse(text) as Orphan),
            strikes: Number(count),
            firstSeenAt: isoOf(Number(first)),
            removing: removing.includes(name),
          };
        })
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  requestRemoval(): Promise<readonly string[]> {
    const keys = [this.orphans.strikes, this.orphans.removing];
    return reachingRedis(this.redis, async () => {
      const names = (await scripts.requestRemoval.run(this.redis, keys, [strikesOfOrphan])) as string[];
      return names.sort();
    });
  }

  async removed(name: string): Promise<void> {
    const { found, strikes, removing } = this.orphans;
    await reachingRedis(this.redis, () => scripts.removed.run(this.redis, [found, strikes, removing], [name]));
  }
}
