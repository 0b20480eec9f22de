import type { ModelBreaker, TargetSign } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import { admitScript, reportScript } from './breaker.lua';
import { firstRestMs, longestRestMs, troublesUntilRest } from './breaker-times';

const admit = new LuaScript(admitScript);
const report = new LuaScript(reportScript);

/** Longer than any call: a trial of a dead worker expires. */
const trialMs = 300_000;
/** Old failures say nothing about the current state. */
const forgetMs = 3_600_000;

/** State of failing targets in Redis. */
export class RedisModelBreaker implements ModelBreaker {
  private readonly keyOf: Keys['models']['target'];

  constructor(
    private readonly redis: Redis,
    prefix: string,
  ) {
    this.keyOf = keysOf(prefix).models.target;
  }

  async admit(target: string): Promise<boolean> {
    return (await this.run(admit, target, [trialMs])) === 1;
  }

  async report(target: string, sign: TargetSign, restMs = 0): Promise<void> {
    const added = sign === 'down' ? troublesUntilRest : 1;
    await this.run(report, target, [sign, added, troublesUntilRest, firstRestMs, longestRestMs, restMs, forgetMs]);
  }

  private run(script: LuaScript, target: string, args: readonly (string | number)[]): Promise<unknown> {
    const key = this.keyOf(target);
    return reachingRedis(this.redis, () => script.run(this.redis, [key, `${key}:rest`, `${key}:trial`], args));
  }
}
