import type { ApiKey, KeyRevocation } from '@fleet/contracts';
import type { AccessKeys, KeyUses } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { reachingRedis } from '../reaching-redis';
import { keyExists } from './key-exists';
import { apart, byAge, keyFrom } from './key-fields';

/** Keys of the API in Redis. Each field is written once, so that nothing that is done twice or at once changes it. */
export class RedisAccessKeys implements AccessKeys, KeyUses {
  private readonly at: Keys['access'];

  constructor(
    private readonly redis: Redis,
    prefix: string,
  ) {
    this.at = keysOf(prefix).access;
  }

  async create(given: ApiKey): Promise<void> {
    const { key, revocation } = apart(given);
    // A key that comes back is never valid for a moment although it was revoked.
    if (revocation !== undefined) await this.writeRevocation(key.id, revocation);
    const text = JSON.stringify(key);
    const made = await reachingRedis(this.redis, () => this.redis.hsetnx(this.at.keys, key.id, text));
    if (made === 0) throw keyExists(key.id);
  }

  find(id: string): Promise<ApiKey | undefined> {
    return reachingRedis(this.redis, async () => {
      const [key, revoked] = await Promise.all([
        this.redis.hget(this.at.keys, id),
        this.redis.hget(this.at.revoked, id),
      ]);
      return keyFrom(id, key, revoked);
    });
  }

  list(): Promise<readonly ApiKey[]> {
    return reachingRedis(this.redis, async () => {
      const [keys, revoked] = await Promise.all([
        this.redis.hgetall(this.at.keys),
        this.redis.hgetall(this.at.revoked),
      ]);
      return Object.entries(keys)
        .flatMap(([id, text]) => keyFrom(id, text, revoked[id] ?? null) ?? [])
        .sort(byAge);
    });
  }

  async revoke(id: string, by: Required<KeyRevocation>): Promise<ApiKey | undefined> {
    if ((await this.find(id)) === undefined) return undefined;
    await this.writeRevocation(id, by);
    return this.find(id);
  }

  any(): Promise<boolean> {
    return reachingRedis(this.redis, async () => (await this.redis.exists(this.at.keys)) > 0);
  }

  async used(id: string, at: string): Promise<void> {
    await reachingRedis(this.redis, () => this.redis.hset(this.at.used, id, at));
  }

  lastUses(): Promise<Readonly<Record<string, string>>> {
    return reachingRedis(this.redis, () => this.redis.hgetall(this.at.used));
  }

  private async writeRevocation(id: string, { revokedAt, revokedBy }: Required<KeyRevocation>): Promise<void> {
    const text = JSON.stringify({ revokedAt, revokedBy });
    await reachingRedis(this.redis, () => this.redis.hsetnx(this.at.revoked, id, text));
  }
}
