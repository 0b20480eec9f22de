import type { Redis } from 'ioredis';
import { gatherWrites } from './gather-writes';
import { reachingStore } from './store-fault';

/**
 * Makes a Redis call; commands of one turn of the event loop are sent together.
 * @throws Fault `store.unreachable` (transient) or `store.refused` (bug)
 */
export const reachingRedis = <T>(redis: Redis, act: () => Promise<T>): Promise<T> => {
  gatherWrites(redis);
  return reachingStore(act);
};
