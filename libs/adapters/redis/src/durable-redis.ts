import { Fault } from '@fleet/contracts/faults';
import type { Redis } from 'ioredis';

/** The setting that decides whether this Redis keeps its data. */
export interface EvictionPolicy {
  /** Undefined if it cannot be read. */
  readonly found: string | undefined;
  readonly isGood: boolean;
}

const wanted = 'noeviction';

export const evictionWhy = 'Redis would evict queued steps when its memory is full';

export const evictionRemedy = `Fix it with: redis-cli CONFIG SET maxmemory-policy ${wanted} (and in redis.conf, so that it stays).`;

/** Tries INFO first: managed services often forbid CONFIG. */
export const evictionPolicy = async (redis: Redis): Promise<EvictionPolicy> => {
  const found = field(await redis.info('memory'), 'maxmemory_policy') ?? (await configured(redis, 'maxmemory-policy'));
  return { found, isGood: found === wanted };
};

/** Why this Redis may evict data, as a sentence; undefined if it does not. */
export const evictionProblem = async (redis: Redis): Promise<string | undefined> => {
  const { found, isGood } = await evictionPolicy(redis);
  if (isGood) return undefined;
  const now = found === undefined ? 'cannot be read' : `is ${found}`;
  return `maxmemory-policy ${now}, it must be ${wanted}: ${evictionWhy}. ${evictionRemedy}`;
};

/**
 * Rejects a Redis that REDIS_URL cannot open as configured. The client itself continues in database 0 if the configured
 * one does not exist, among the queues of another installation.
 * @throws Fault `store.misconfigured` (caller): the login or the database is refused
 */
export const assertOpenRedis = async (redis: Redis): Promise<void> => {
  const { db = 0 } = redis.options;
  try {
    if (db === 0) await redis.ping();
    else await redis.select(db);
  } catch (cause) {
    if (!(cause instanceof Error) || !/^(NOAUTH|WRONGPASS|NOPERM|ERR)\b/.test(cause.message)) throw cause;
    throw new Fault('store.misconfigured', 'caller', `Redis does not accept REDIS_URL: ${cause.message}`, { cause });
  }
};

/**
 * Rejects a Redis that evicts.
 * @throws Fault `store.not_durable` (caller) that names the setting, why it matters and the command that fixes it
 */
export const assertDurableRedis = async (redis: Redis): Promise<void> => {
  const problem = await evictionProblem(redis);
  if (problem !== undefined)
    throw new Fault('store.not_durable', 'caller', `this Redis may lose queued steps. ${problem}`);
};

/** Used part of `maxmemory`, in percent; undefined without a limit. Above the limit Redis rejects every write. */
export const memoryPercent = async (redis: Redis): Promise<number | undefined> => {
  const info = await redis.info('memory');
  const [used, limit] = [field(info, 'used_memory'), field(info, 'maxmemory')].map(Number);
  return limit && used ? Math.round((used / limit) * 100) : undefined;
};

/** A field of an INFO reply. */
export const field = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];

/** A setting; undefined if CONFIG is forbidden. */
const configured = async (redis: Redis, setting: string): Promise<string | undefined> => {
  try {
    const reply: unknown = await redis.config('GET', setting);
    return Array.isArray(reply) && typeof reply[1] === 'string' ? reply[1] : undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') return undefined;
    throw error;
  }
};
