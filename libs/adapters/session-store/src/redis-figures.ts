import { reading, type Reading } from '@fleet/ports';
import type { Redis } from 'ioredis';

/** What Redis says of its memory and of what it keeps; what it does not say (managed services leave things out) is absent. */
export class RedisFigures {
  constructor(private readonly redis: Redis) {}

  /** @throws what the client throws where Redis does not answer */
  async read(): Promise<readonly Reading[]> {
    const info = fieldsOf(`${await this.redis.info('memory')}\n${await this.redis.info('persistence')}`);
    return [
      ...[info.get('used_memory')]
        .flatMap(numbers)
        .map((bytes) => reading('phenix_fleet_redis_memory_bytes', {}, bytes)),
      ...[info.get('maxmemory')]
        .flatMap(numbers)
        .filter((bytes) => bytes > 0)
        .map((bytes) => reading('phenix_fleet_redis_memory_limit_bytes', {}, bytes)),
      ...parts.flatMap(({ part, field, good }) => {
        const found = info.get(field);
        return found === undefined
          ? []
          : [reading('phenix_fleet_redis_persistence_ok', { part }, Number(found === good))];
      }),
    ];
  }
}

const parts = [
  { part: 'aof', field: 'aof_enabled', good: '1' },
  { part: 'aof_write', field: 'aof_last_write_status', good: 'ok' },
  { part: 'aof_rewrite', field: 'aof_last_bgrewrite_status', good: 'ok' },
  { part: 'snapshot', field: 'rdb_last_bgsave_status', good: 'ok' },
] as const;

const fieldsOf = (info: string): ReadonlyMap<string, string> =>
  new Map([...info.matchAll(/^([a-z_]+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]));

const numbers = (text: string | undefined): readonly number[] => (text === undefined ? [] : [Number(text)]);
