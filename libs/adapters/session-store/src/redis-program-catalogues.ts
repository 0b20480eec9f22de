import type { BackendName, ProgramCatalogue } from '@fleet/contracts';
import type { ProgramCatalogues } from '@fleet/ports';
import { reachingRedis } from './reaching-redis';
import type { RedisContext } from './redis-context';

/** One key for each backend: the last catalogue counts. */
export class RedisProgramCatalogues implements ProgramCatalogues {
  constructor(private readonly at: RedisContext) {}

  async publish(catalogue: ProgramCatalogue): Promise<void> {
    const { redis, keys } = this.at;
    await reachingRedis(redis, () => redis.set(keys.programs(catalogue.backend), JSON.stringify(catalogue)));
  }

  of(backend: BackendName): Promise<ProgramCatalogue | undefined> {
    const { redis, keys } = this.at;
    return reachingRedis(redis, async () => {
      const text = await redis.get(keys.programs(backend));
      return text === null ? undefined : (JSON.parse(text) as ProgramCatalogue);
    });
  }
}
