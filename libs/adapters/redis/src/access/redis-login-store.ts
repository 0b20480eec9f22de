import type { LoginStore } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';

const replace = new LuaScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
`);
const remove = new LuaScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`);

/** Browser logins in Redis, each under its own key, which expires. */
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

  replace(name: string, before: string, text: string, forMs: number): Promise<boolean> {
    return this.change(replace, name, [before, text, forMs]);
  }

  remove(name: string, before: string): Promise<boolean> {
    return this.change(remove, name, [before]);
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

  private async change(script: LuaScript, name: string, args: readonly (string | number)[]): Promise<boolean> {
    return (await reachingRedis(this.redis, () => script.run(this.redis, [this.keyOf(name)], args))) === 1;
  }
}
