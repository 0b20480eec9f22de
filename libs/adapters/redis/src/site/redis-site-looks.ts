import type { CheckupView, Finding, Trial } from '@fleet/contracts/administration';
import { trialWaitsMs, type SiteLooks, type WantedTrial } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import { lookStaysMs, trialOf } from './trial-fields';
import { askScript, endScript, keepScript, readScript, takeScript } from './trials.lua';

const scripts = {
  read: new LuaScript(readScript),
  ask: new LuaScript(askScript),
  take: new LuaScript(takeScript),
  keep: new LuaScript(keepScript),
  end: new LuaScript(endScript),
};

/** Findings of executors in Redis. */
export class RedisSiteLooks implements SiteLooks {
  private readonly keys: Keys['doctor'];

  constructor(
    private readonly redis: Redis,
    prefix: string,
  ) {
    this.keys = keysOf(prefix).doctor;
  }

  async publish(look: CheckupView): Promise<void> {
    await reachingRedis(this.redis, () => this.redis.set(this.keys.look, JSON.stringify(look), 'PX', lookStaysMs));
  }

  look(): Promise<CheckupView | undefined> {
    return reachingRedis(this.redis, async () => {
      const text = await this.redis.get(this.keys.look);
      return text === null ? undefined : (JSON.parse(text) as CheckupView);
    });
  }

  async askTrial(id: string, by: string): Promise<Trial> {
    const trial = trialIn(await this.run(scripts.ask, [id, by, trialWaitsMs]));
    if (trial === undefined) throw new Error('the trial that was just written is missing');
    return trial;
  }

  async trial(): Promise<Trial | undefined> {
    return trialIn(await this.run(scripts.read, []));
  }

  async takeTrial(executor: string, leaseMs: number): Promise<WantedTrial | undefined> {
    const id = await this.run(scripts.take, [executor, leaseMs, trialWaitsMs]);
    return typeof id === 'string' ? { id } : undefined;
  }

  async keepTrial({ id }: WantedTrial, executor: string, leaseMs: number): Promise<boolean> {
    return (await this.run(scripts.keep, [id, executor, leaseMs, trialWaitsMs])) === 1;
  }

  async endTrial({ id }: WantedTrial, findings: readonly Finding[]): Promise<void> {
    await this.run(scripts.end, [id, JSON.stringify(findings), trialWaitsMs]);
  }

  private run(script: LuaScript, args: readonly (string | number)[]): Promise<unknown> {
    return reachingRedis(this.redis, () => script.run(this.redis, [this.keys.trial], args));
  }
}

/** The reply of the scripts: the time, then names and values alternately. */
const trialIn = (answer: unknown): Trial | undefined => {
  const [now, flat] = answer as readonly [string, readonly string[]];
  const fields = new Map<string, string>();
  for (let at = 0; at + 1 < flat.length; at += 2) fields.set(flat[at] ?? '', flat[at + 1] ?? '');
  return trialOf(fields, Number(now));
};
