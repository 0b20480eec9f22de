import type { AssessmentWish, AssessmentWishes } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import { askScript, doneScript, putBackScript, takeScript } from './wishes.lua';

const scripts = {
  ask: new LuaScript(askScript),
  take: new LuaScript(takeScript),
  putBack: new LuaScript(putBackScript),
  done: new LuaScript(doneScript),
};

const storedOf = ({ number, askedAt }: AssessmentWish): string => `${String(number)} ${String(askedAt)}`;

const wishOf = (session: string, stored: unknown): AssessmentWish | undefined => {
  if (typeof stored !== 'string') return undefined;
  const [number, askedAt] = stored.split(' ').map(Number);
  return number === undefined || askedAt === undefined ? undefined : { session, number, askedAt };
};

/** Wishes for assessments in Redis. */
export class RedisAssessmentWishes implements AssessmentWishes {
  private readonly keys: Keys;

  constructor(
    private readonly redis: Redis,
    prefix: string,
  ) {
    this.keys = keysOf(prefix);
  }

  async ask(session: string, number: number): Promise<AssessmentWish | undefined> {
    const keys = [this.keys.session(session), ...this.own];
    return wishOf(session, await this.run(scripts.ask, keys, [session, number]));
  }

  async find(session: string): Promise<AssessmentWish | undefined> {
    const { wishes } = this.keys.models;
    return wishOf(session, await reachingRedis(this.redis, () => this.redis.hget(wishes, session)));
  }

  async take(leaseMs: number): Promise<AssessmentWish | undefined> {
    const taken = await this.run(scripts.take, this.own, [leaseMs]);
    return Array.isArray(taken) ? wishOf(String(taken[0]), taken[1]) : undefined;
  }

  async putBack(wish: AssessmentWish, inMs: number): Promise<void> {
    await this.run(scripts.putBack, this.own, [wish.session, storedOf(wish), inMs]);
  }

  async done(wish: AssessmentWish): Promise<void> {
    await this.run(scripts.done, this.own, [wish.session, storedOf(wish)]);
  }

  private get own(): readonly [string, string] {
    return [this.keys.models.wishes, this.keys.models.dueWishes];
  }

  private run(script: LuaScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return reachingRedis(this.redis, () => script.run(this.redis, keys, args));
  }
}
