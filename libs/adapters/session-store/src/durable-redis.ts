import { Fault } from '@fleet/contracts';
import type { Redis } from 'ioredis';

interface Requirement {
  /** As Redis spells it in redis.conf and in CONFIG SET. */
  readonly setting: 'maxmemory-policy' | 'appendonly';
  readonly wanted: string;
  /** What would happen otherwise. */
  readonly why: string;
}

/** A setting on which it depends whether Redis keeps what it is given. */
export interface DurableSetting extends Requirement {
  /** Undefined where it cannot be read. */
  readonly found: string | undefined;
  readonly remedy: string;
}

const requirements: readonly Requirement[] = [
  { setting: 'maxmemory-policy', wanted: 'noeviction', why: 'Redis would evict sessions when its memory is full' },
  { setting: 'appendonly', wanted: 'yes', why: 'sessions would be lost when Redis dies' },
];

/** The settings on which it depends whether this Redis keeps what it is given. INFO is asked first: managed services often forbid CONFIG. */
export const durableSettings = async (redis: Redis): Promise<readonly DurableSetting[]> => {
  const info = `${await redis.info('memory')}\n${await redis.info('persistence')}`;
  const found = {
    'maxmemory-policy': field(info, 'maxmemory_policy') ?? (await configured(redis, 'maxmemory-policy')),
    appendonly: yesOrNo(field(info, 'aof_enabled')) ?? (await configured(redis, 'appendonly')),
  };
  return requirements.map((one) => ({ ...one, found: found[one.setting], remedy: remedyOf(one) }));
};

/** Whether this Redis keeps what it is given: one sentence for each setting that is wrong. */
export const durabilityProblems = async (redis: Redis): Promise<readonly string[]> =>
  (await durableSettings(redis)).flatMap(problemOf);

/**
 * Refuses a Redis that REDIS_URL does not open, or not as it says. The client itself goes on in database 0 where the one that is
 * asked for does not exist, among the sessions of somebody else.
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
 * Refuses a Redis that may lose what it was given.
 * @throws Fault `store.not_durable` (caller) that names each setting, why it matters and the command that mends it
 */
export const assertDurableRedis = async (redis: Redis): Promise<void> => {
  const problems = await durabilityProblems(redis);
  if (problems.length > 0)
    throw new Fault('store.not_durable', 'caller', `this Redis may lose sessions. ${problems.join(' ')}`);
};

/** Part of its `maxmemory` that Redis uses, in percent; undefined where it has no limit. Beyond it every write is refused. */
export const memoryPercent = async (redis: Redis): Promise<number | undefined> => {
  const info = await redis.info('memory');
  const [used, limit] = [field(info, 'used_memory'), field(info, 'maxmemory')].map(Number);
  return limit && used ? Math.round((used / limit) * 100) : undefined;
};

const remedyOf = ({ setting, wanted }: Requirement): string =>
  `Fix it with: redis-cli CONFIG SET ${setting} ${wanted} (and in redis.conf, so that it stays).`;

const problemOf = ({ setting, wanted, why, found, remedy }: DurableSetting): readonly string[] => {
  if (found === wanted) return [];
  return [
    `${setting} ${found === undefined ? 'cannot be read' : `is ${found}`}, it must be ${wanted}: ${why}. ${remedy}`,
  ];
};

/** A field of an answer to INFO. */
export const field = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];

const yesOrNo = (flag: string | undefined): string | undefined =>
  flag === undefined ? undefined : flag === '1' ? 'yes' : 'no';

/** A setting; undefined where CONFIG is forbidden. */
export const configured = async (redis: Redis, setting: string): Promise<string | undefined> => {
  try {
    const reply: unknown = await redis.config('GET', setting);
    return Array.isArray(reply) && typeof reply[1] === 'string' ? reply[1] : undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') return undefined;
    throw error;
  }
};
