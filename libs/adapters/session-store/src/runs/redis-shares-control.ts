import { sharesStateSchema, withDefaults, type SharesState } from '@fleet/contracts';
import { isoTime, systemClock, type Clock, type SharesControl } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf } from '../keys';
import { reachingRedis } from '../reaching-redis';

/** One key: the last word counts. */
export class RedisSharesControl implements SharesControl {
  private readonly key: string;

  constructor(
    private readonly redis: Redis,
    prefix: string,
    private readonly clock: Clock = systemClock,
  ) {
    this.key = keysOf(prefix).shares;
  }

  read(): Promise<SharesState | undefined> {
    return reachingRedis(this.redis, async () => {
      const text = await this.redis.get(this.key);
      return text === null ? undefined : (withDefaults(sharesStateSchema, JSON.parse(text)) as SharesState);
    });
  }

  async set(said: Omit<SharesState, 'since'>): Promise<SharesState> {
    const state = { ...said, since: isoTime(this.clock) };
    await reachingRedis(this.redis, () => this.redis.set(this.key, JSON.stringify(state)));
    return state;
  }
}
