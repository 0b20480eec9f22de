import type { RateLimits, Taken } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';

/** Uses the clock of Redis, which all gateways share. A full bucket expires. */
const draw = new LuaScript(`
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000)
local per, amount, mayOwe = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3] == 'owe'
local was = redis.call('HMGET', KEYS[1], 'left', 'at')
local elapsed = math.max(0, now - (tonumber(was[2]) or now))
local left = math.min(per, (tonumber(was[1]) or per) + elapsed * per / 60000)
local granted = mayOwe and amount or math.max(0, math.min(amount, math.floor(left)))
left = left - granted
redis.call('HSET', KEYS[1], 'left', tostring(left), 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil((per - left) * 60000 / per) + 1000)
local retry = 0
if granted == 0 then retry = math.ceil((math.min(amount, per) - left) * 60000 / per) end
return { granted, retry }
`);

/** Rate limit buckets in Redis. */
export class RedisRateLimits implements RateLimits {
  private readonly at: Keys['access']['rate'];

  constructor(
    private readonly redis: Redis,
    prefix: string,
  ) {
    this.at = keysOf(prefix).access.rate;
  }

  take(bucket: string, perMinute: number, wanted: number): Promise<Taken> {
    return this.draw(bucket, perMinute, wanted, 'stop');
  }

  async charge(bucket: string, perMinute: number, used: number): Promise<void> {
    await this.draw(bucket, perMinute, used, 'owe');
  }

  private draw(bucket: string, perMinute: number, amount: number, atNone: 'stop' | 'owe'): Promise<Taken> {
    return reachingRedis(this.redis, async () => {
      const drawn = await draw.run(this.redis, [this.at(bucket)], [perMinute, amount, atNone]);
      const [granted, retryMs] = drawn as [number, number];
      return { granted, retryMs };
    });
  }
}
