import type { ModelWish, ModelWishes, WishSubject } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import { nameOfSubject, subjectNamed } from './wish-subjects';
import { askScript, doneScript, putBackScript, takeScript } from './wishes.lua';

const scripts = {
  ask: new LuaScript(askScript),
  take: new LuaScript(takeScript),
  putBack: new LuaScript(putBackScript),
  done: new LuaScript(doneScript),
};

const storedOf = ({ number, askedAt }: ModelWish): string => `${String(number)} ${String(askedAt)}`;

const wishOf = (subject: WishSubject, stored: unknown): ModelWish | undefined => {
  if (typeof stored !== 'string') return undefined;
  const [number, askedAt] = stored.split(' ').map(Number);
  return number === undefined || askedAt === undefined ? undefined : { ...subject, number, askedAt };
};

/** Wishes for what models are to write, in Redis. */
export class RedisModelWishes implements ModelWishes {
  private readonly keys: Keys;

  constructor(
    private readonly redis: Redis,
    prefix: string,
  ) {
    this.keys = keysOf(prefix);
  }

  async ask(subject: WishSubject, number: number): Promise<ModelWish | undefined> {
    const keys = [this.keys.session(subject.session), ...this.own];
    return wishOf(subject, await this.run(scripts.ask, keys, [nameOfSubject(subject), number]));
  }

  async find(subject: WishSubject): Promise<ModelWish | undefined> {
    const { wishes } = this.keys.models;
    const name = nameOfSubject(subject);
    return wishOf(subject, await reachingRedis(this.redis, () => this.redis.hget(wishes, name)));
  }

  async take(leaseMs: number): Promise<ModelWish | undefined> {
    const taken = await this.run(scripts.take, this.own, [leaseMs]);
    return Array.isArray(taken) ? wishOf(subjectNamed(String(taken[0])), taken[1]) : undefined;
  }

  async putBack(wish: ModelWish, inMs: number): Promise<void> {
    await this.run(scripts.putBack, this.own, [nameOfSubject(wish), storedOf(wish), inMs]);
  }

  async done(wish: ModelWish): Promise<void> {
    await this.run(scripts.done, this.own, [nameOfSubject(wish), storedOf(wish)]);
  }

  private get own(): readonly [string, string] {
    return [this.keys.models.wishes, this.keys.models.dueWishes];
  }

  private run(script: LuaScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return reachingRedis(this.redis, () => script.run(this.redis, keys, args));
  }
}
