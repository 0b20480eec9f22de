import { randomUUID } from 'node:crypto';
import type { AskedModel, ModelOutcome, ModelRequestEntry } from '@fleet/contracts';
import type { ModelBudgets, ModelLedger, ModelSpending, ModelWork, Reservation, ReservedRequest } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import { holdScript, renewScript, reserveScript, settleScript } from './ledger.lua';

const scripts = {
  hold: new LuaScript(holdScript),
  renew: new LuaScript(renewScript),
  reserve: new LuaScript(reserveScript),
  settle: new LuaScript(settleScript),
};

/** A worker that has not been heard of for so long is taken for dead; it is heard of every second. */
const silentMs = 15_000;

const spent = ({ requests, tokens, cost }: ModelSpending): readonly number[] => [requests, tokens, cost];

/** The ledger in Redis: a hash for each session, and what proposals and days have spent. */
export class RedisModelLedger implements ModelLedger {
  private readonly keys: Keys['models'];
  /** What this process is called while it holds works. */
  private readonly worker = randomUUID();

  constructor(
    private readonly redis: Redis,
    prefix: string,
    private readonly leaseMs = silentMs,
  ) {
    this.keys = keysOf(prefix).models;
  }

  async hold(work: ModelWork): Promise<boolean> {
    const args = [this.worker, this.leaseMs, work.name, work.keptMs ?? ''];
    return (await this.run(scripts.hold, this.leaseOf(work), args)) === 1;
  }

  async renew(work: ModelWork): Promise<boolean> {
    return (await this.run(scripts.renew, this.leaseOf(work), [this.worker, this.leaseMs, work.name])) === 1;
  }

  async release(work: ModelWork): Promise<void> {
    await this.run(scripts.renew, this.leaseOf(work), [this.worker, '', work.name]);
  }

  async reserve(work: ModelWork, asked: AskedModel, most: ModelSpending, budgets: ModelBudgets): Promise<Reservation> {
    const { ofProposal, days } = this.keys;
    const keys = [...this.leaseOf(work), ofProposal(work.proposal)];
    const entry = JSON.stringify({ work: work.name, ...asked });
    const args = [this.worker, work.name, entry, days, ...spent(most), JSON.stringify(budgets)];
    const [word, number, day] = (await this.run(scripts.reserve, keys, args)) as [string, string?, string?];
    if (word === 'reserved') return { number: Number(number), day: Number(day) };
    return { refused: word === 'not_held' ? word : { budget: word as keyof ModelBudgets } };
  }

  async settle(
    { session, proposal, name }: ModelWork,
    { number, day }: ReservedRequest,
    outcome: ModelOutcome,
    less: ModelSpending,
  ): Promise<void> {
    const { ledger, ofProposal, days } = this.keys;
    const keys = [ledger(session), ofProposal(proposal), `${days}${String(day)}`];
    await this.run(scripts.settle, keys, [number, name, JSON.stringify(outcome), ...spent(less)]);
  }

  async entries(session: string): Promise<readonly ModelRequestEntry[]> {
    const fields = await reachingRedis(this.redis, () => this.redis.hgetall(this.keys.ledger(session)));
    return Array.from({ length: Number(fields.count ?? 0) }, (_, index) => {
      const number = index + 1;
      const part = (of: string): object => JSON.parse(fields[`${of}:${String(number)}`] ?? '{}') as object;
      return { number, ...part('asked'), ...part('came') } as ModelRequestEntry;
    });
  }

  private leaseOf({ session, name }: ModelWork): readonly [held: string, ledger: string] {
    return [this.keys.held(session, name), this.keys.ledger(session)];
  }

  private run(script: LuaScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return reachingRedis(this.redis, () => script.run(this.redis, keys, args));
  }
}
