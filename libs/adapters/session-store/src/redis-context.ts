import type { Clock } from '@fleet/ports';
import type { Redis } from 'ioredis';
import type { Keys } from './keys';

/** What the ports of one store share: a connection, the names of its keys, its clocks. */
export interface RedisContext {
  readonly redis: Redis;
  /** What all keys begin with. */
  readonly prefix: string;
  readonly keys: Keys;
  readonly clock: Clock;
  /** Deadlines and ages of wake-ups are told by a clock that all machines at this Redis share (see RedisClock). */
  readonly deadlines: Clock;
}
