import { reading, type Reading } from '@fleet/ports';
import type { Redis } from 'ioredis';

/** Memory metrics of Redis; values that it does not report (managed services omit some) are absent. */
export class RedisMetrics {
  constructor(private readonly redis: Redis) {}

  /** @throws the client's error if Redis does not answer */
  async read(): Promise<readonly Reading[]> {
    const info = fieldsOf(await this.redis.info('memory'));
    return [
      ...[info.get('used_memory')]
        .flatMap(numbers)
        .map((bytes) => reading('phenix_fleet_redis_memory_bytes', {}, bytes)),
      ...[info.get('maxmemory')]
        .flatMap(numbers)
        .filter((bytes) => bytes > 0)
        .map((bytes) => reading('phenix_fleet_redis_memory_limit_bytes', {}, bytes)),
    ];
  }
}

const fieldsOf = (info: string): ReadonlyMap<string, string> =>
  new Map([...info.matchAll(/^([a-z_]+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]));

const numbers = (text: string | undefined): readonly number[] => (text === undefined ? [] : [Number(text)]);
