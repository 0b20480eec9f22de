import type { LoginStore } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf } from '../keys';
import { reachingRedis } from '../reaching-redis';

/** Logins of browsers in Redis, each a key of its own that ends by itself. */
export class RedisLoginStore implements LoginStore {
  private readonly keyOf: (name: string) => string;

  constructor(
    private readonly redis: Redis,
    prefix: string,
  ) {
    this.keyOf = keysOf(prefix).login;
  }

  async keep(name: string, text: string, forMs: number): Promise<void> {
    await reachingRedis(this.redis, () => this.redis.set(this.keyOf(name), text, 'PX', forMs));
  }

  async replace(name: string, text: string, forMs: number): Promise<void> {
    await reachingRedis(this.redis, () => this.redis.set(this.keyOf(name), text, 'PX', forMs, 'XX'));
  }

  async use(name: string, forMs: number): Promise<string | undefined> {
    return (await reachingRedis(this.redis, () => this.redis.getex(this.keyOf(name), 'PX', forMs))) ?? undefined;
  }

  async take(name: string): Promise<string | undefined> {
    return (await reachingRedis(this.redis, () => this.redis.getdel(this.keyOf(name)))) ?? undefined;
  }

  async claim(name: string, forMs: number): Promise<boolean> {
    return (await reachingRedis(this.redis, () => this.redis.set(this.keyOf(name), '', 'PX', forMs, 'NX'))) === 'OK';
  }
}
