import type { Webhook } from '@fleet/contracts';
import type { Webhooks } from '@fleet/ports';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import type { RedisContext } from '../redis-context';
import { byAge, webhookFrom } from './webhook-fields';
import { createWebhookScript, removeWebhookScript } from './webhooks.lua';

const scripts = { create: new LuaScript(createWebhookScript), remove: new LuaScript(removeWebhookScript) };

const subjectOf = ({ about: { what, name } }: Webhook): string => `${what}:${name}`;

/** Webhooks in Redis: a hash of all, and of each session, batch and proposal a hash of those about it. */
export class RedisWebhooks implements Webhooks {
  private readonly redis: RedisContext['redis'];
  private readonly hooks: string;

  constructor({ redis, keys: { hooks } }: RedisContext) {
    this.redis = redis;
    this.hooks = hooks;
  }

  async create(webhook: Webhook): Promise<void> {
    const kinds = ` ${webhook.kinds.join(' ')} `;
    const args = [webhook.id, JSON.stringify(webhook), subjectOf(webhook), kinds];
    await reachingRedis(this.redis, () => scripts.create.run(this.redis, [this.hooks], args));
  }

  async find(id: string): Promise<Webhook | undefined> {
    const text = await reachingRedis(this.redis, () => this.redis.hget(this.hooks, id));
    return text === null ? undefined : webhookFrom(id, text);
  }

  async list(): Promise<readonly Webhook[]> {
    const all = await reachingRedis(this.redis, () => this.redis.hgetall(this.hooks));
    return Object.entries(all)
      .map(([id, text]) => webhookFrom(id, text))
      .sort(byAge);
  }

  async remove(id: string): Promise<boolean> {
    const webhook = await this.find(id);
    if (webhook === undefined) return false;
    const args = [id, subjectOf(webhook)];
    return (await reachingRedis(this.redis, () => scripts.remove.run(this.redis, [this.hooks], args))) === 1;
  }

  /** Whether Redis has had the webhooks of the disk since it was emptied last. */
  async isRestored(): Promise<boolean> {
    return (await reachingRedis(this.redis, () => this.redis.exists(`${this.hooks}:restored`))) === 1;
  }

  async noteRestored(): Promise<void> {
    await reachingRedis(this.redis, () => this.redis.set(`${this.hooks}:restored`, '1'));
  }
}
