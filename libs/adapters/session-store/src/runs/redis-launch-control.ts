import type { LaunchState } from '@fleet/contracts';
import { isoTime, systemClock, type Clock, type LaunchControl } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf } from '../keys';
import { reachingRedis } from '../reaching-redis';
import { asSaid, neverSaid } from './launch-state';

/** One key: the last word counts. */
export class RedisLaunchControl implements LaunchControl {
  private readonly key: string;

  constructor(
    private readonly redis: Redis,
    prefix: string,
    private readonly clock: Clock = systemClock,
  ) {
    this.key = keysOf(prefix).launches;
  }

  read(): Promise<LaunchState> {
    return reachingRedis(this.redis, async () => {
      const text = await this.redis.get(this.key);
      return text === null ? neverSaid : (JSON.parse(text) as LaunchState);
    });
  }

  async set(said: Omit<LaunchState, 'since'>): Promise<LaunchState> {
    const state = asSaid(said, await this.read(), isoTime(this.clock));
    await reachingRedis(this.redis, () => this.redis.set(this.key, JSON.stringify(state)));
    return state;
  }
}
