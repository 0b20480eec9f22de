import type { DeadNotice, DeliveryState } from '@fleet/contracts';
import type { ClaimedDeliveries, ClaimLimits, Deliveries, Delivery, Failure } from '@fleet/ports';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import type { RedisContext } from '../redis-context';
import { deadFrom, deliveryFields, deliveryStateFrom, toldFrom, webhookFrom } from './webhook-fields';
import {
  claimDeliveriesScript,
  deliveredScript,
  failedScript,
  noticeBatchesScript,
  releaseScript,
  replayScript,
} from './webhooks.lua';

const scripts = {
  claim: new LuaScript(claimDeliveriesScript),
  delivered: new LuaScript(deliveredScript),
  failed: new LuaScript(failedScript),
  release: new LuaScript(releaseScript),
  replay: new LuaScript(replayScript),
  noticeBatches: new LuaScript(noticeBatchesScript),
};

/** What a claim returns of each notice: the name of its line, itself, its tries. */
const perNotice = 3;
/** Characters of a reason that are kept. */
const longestWhy = 500;

/** What waits for webhooks, in Redis; moves put it there. */
export class RedisDeliveries implements Deliveries {
  constructor(private readonly at: RedisContext) {}

  async claim({ lines, leaseMs, mail }: ClaimLimits): Promise<ClaimedDeliveries | undefined> {
    const args = [this.now(), lines, leaseMs, mail.notices, mail.leaseMs];
    const [id, webhook, failing, ...rest] = (await this.run(scripts.claim, args)) as readonly string[];
    if (id === undefined || webhook === undefined) return undefined;
    const deliveries: Delivery[] = [];
    for (let at = 0; at < rest.length; at += perNotice) {
      const [of = '', text = '', attempts = '0'] = rest.slice(at, at + perNotice);
      deliveries.push({ of, attempts: Number(attempts), ...toldFrom(text) });
    }
    return { webhook: webhookFrom(id, webhook), failing: Number(failing), deliveries };
  }

  async delivered(webhook: string, { id, of }: Pick<Delivery, 'id' | 'of'>): Promise<boolean> {
    return (await this.run(scripts.delivered, [webhook, of, id, this.now(), this.time()])) === 1;
  }

  async failed(
    webhook: string,
    { id, of, attempts }: Pick<Delivery, 'id' | 'of' | 'attempts'>,
    { why, againInMs, holdMs, failing }: Failure,
  ): Promise<boolean> {
    const now = this.now();
    const again = againInMs === 'never' ? '' : now + againInMs;
    const held = holdMs === 0 ? '' : now + holdMs;
    const args = [webhook, of, id, now, this.time(), attempts, again, held, why.slice(0, longestWhy), failing];
    return (await this.run(scripts.failed, args)) === 1;
  }

  async release(webhook: string): Promise<void> {
    await this.run(scripts.release, [webhook, this.now()]);
  }

  state(webhook: string): Promise<DeliveryState> {
    const { redis } = this.at;
    return reachingRedis(redis, async () => {
      const own = this.of(webhook);
      const [fields, dead] = await Promise.all([redis.hmget(own, ...deliveryFields), redis.zcard(`${own}:died`)]);
      return deliveryStateFrom(fields, dead);
    });
  }

  dead(webhook: string, limit: number): Promise<readonly DeadNotice[]> {
    const { redis } = this.at;
    return reachingRedis(redis, async () => {
      const ids = await redis.zrevrange(`${this.of(webhook)}:died`, 0, limit - 1);
      if (ids.length === 0) return [];
      const texts = await redis.hmget(`${this.of(webhook)}:dead`, ...ids);
      return ids.flatMap((id, index) => {
        const text = texts[index];
        return typeof text === 'string' ? [deadFrom(id, text)] : [];
      });
    });
  }

  async replay(webhook: string, ids?: readonly string[]): Promise<number> {
    const { redis } = this.at;
    // The oldest first: that is the order in which they happened.
    const those = ids ?? (await reachingRedis(redis, () => redis.zrange(`${this.of(webhook)}:died`, '0', '-1')));
    return (await this.run(scripts.replay, [webhook, this.now(), ...those])) as number;
  }

  async noticeBatches(limit: number): Promise<void> {
    await this.run(scripts.noticeBatches, [this.at.prefix, this.now(), this.time(), limit]);
  }

  private of(webhook: string): string {
    return `${this.at.keys.hooks}:${webhook}`;
  }

  /** All machines at this Redis share this clock. */
  private now(): number {
    return this.at.deadlines.now();
  }

  private time(): string {
    return new Date(this.now()).toISOString();
  }

  private run(script: LuaScript, args: readonly (string | number)[]): Promise<unknown> {
    const { redis, keys } = this.at;
    return reachingRedis(redis, () => script.run(redis, [keys.hooks], args));
  }
}
