import { Fault } from '@fleet/contracts/faults';
import type { Redis } from 'ioredis';
import { reachingStore } from './store-fault';

/** Commands with arguments, separated by commas or lines. `K` is a probe key, `B` one of the queues. */
const commandsOf = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((command) => command.trim())
    .filter((command) => command !== '');

/**
 * Each command that the services send or call in scripts, including BullMQ's: Redis checks both by the same
 * permissions. K is a string, so that commands of other types fail: if a command were executed after all, it would
 * leave nothing.
 */
export const redisNeeds = commandsOf(`
  SET K 1 PX 1000, PING, INFO, TIME, CLIENT SETNAME fleet, SCAN 0, TYPE K, PTTL K, GET K, HGETALL K, SMEMBERS K
  ZRANGE K 0 -1, LRANGE K 0 -1, XRANGE K - +
  EVAL return 1 K, EVAL return 2 K B, EVALSHA 0 1 K, SCRIPT EXISTS 0, SCRIPT LOAD return
  EXISTS K, GETEX K, INCR K, INCRBY K 1, DECRBY K 1, RENAME K K
  HDEL K f, HEXISTS K f, HGET K f, HINCRBY K f 1, HINCRBYFLOAT K f 1, HKEYS K, HLEN K, HMGET K f, HMSET K f v, HSET K f v, HSETNX K f v, HVALS K
  LINDEX K 0, LLEN K, LPOP K, LPOS K e, LPUSH K e, LREM K 1 e, LSET K 0 e, LTRIM K 0 0, RPOP K, RPOPLPUSH K K, RPUSH K e
  SADD K m, SCARD K, SISMEMBER K m, SREM K m
  XADD K * f v, XDEL K 1-1, XLEN K, XREVRANGE K + -, XTRIM K MAXLEN 1
  ZADD K 1 m, ZCARD K, ZCOUNT K 0 1, ZINTERCARD 1 K, ZLEXCOUNT K - +, ZPOPMIN K, BZPOPMIN K 0.001
  ZRANGEBYLEX K - +, ZRANGEBYSCORE K 0 1, ZREVRANGE K 0 1, ZREVRANGEBYLEX K + -, ZREVRANGEBYSCORE K 1 0
  ZREM K m, ZREMRANGEBYRANK K 0 1, ZREMRANGEBYSCORE K 0 1, ZSCORE K m
  PERSIST K, EXPIRE K 1, PEXPIRE K 1000, PEXPIREAT K 1, GETDEL K, DEL K, UNLINK K
`);

/** Replies that always reject a command, and not because the server is full, loading or a replica. */
const refusal = /^(?:NOPERM|CROSSSLOT|ERR unknown (?:sub)?command)/;

/** Number of rejections that are listed; a read-only user has sixty. */
const mostNamed = 4;

/**
 * Why this server rejects what is needed: the missing permissions in its own words, and what to grant; undefined if it
 * permits everything. Each command is queued in a transaction that is then discarded, on a separate connection: Redis
 * checks commands and keys when it queues them, and executes nothing.
 * @param prefix of all keys
 * @throws Fault `store.unreachable` (transient)
 */
export const permissionProblem = async (redis: Redis, prefix: string): Promise<string | undefined> => {
  const refused = await reachingStore(() => refusals(redis, prefix));
  if (refused.length === 0) return undefined;
  const more = refused.length > mostNamed ? `; and ${String(refused.length - mostNamed)} more` : '';
  const user = redis.options.username ?? 'default';
  const named = refused.slice(0, mostNamed).join('; ');
  return `Redis refuses what this process needs (user "${user}"): ${named}${more}. ${remedyOf(named, prefix)}`;
};

const remedyOf = (refused: string, prefix: string): string => {
  if (refused.includes('CROSSSLOT')) return `Set REDIS_KEY_PREFIX to {${prefix}}, with the braces.`;
  const old = refused.includes('unknown') ? ' Redis must be 7.0 or later, or Valkey.' : '';
  return `The user needs: ${permissions(prefix)} (docs/configuration.md, "Permissions in Redis").${old}`;
};

/** The permissions of a Redis user, in the syntax of ACL SETUSER. */
const permissions = (prefix: string): string => `~${prefix}:* +@all -@admin -@dangerous +info`;

/**
 * Rejects a Redis without the needed permissions.
 * @throws Fault `store.misconfigured` (caller) with the sentence of `permissionProblem`; `store.unreachable`
 *   (transient)
 */
export const assertPermittedRedis = async (...asked: Parameters<typeof permissionProblem>): Promise<void> => {
  const problem = await permissionProblem(...asked);
  if (problem !== undefined) throw new Fault('store.misconfigured', 'caller', problem);
};

const refusals = async (redis: Redis, prefix: string): Promise<readonly string[]> => {
  const probe = redis.duplicate({ retryStrategy: () => null, reconnectOnError: null, enableReadyCheck: false });
  // Each call reports it.
  probe.on('error', () => undefined);
  /** By the server's message, the first command that it rejected with it. */
  const refused = new Map<string, string>();
  const attempt = async (command: string): Promise<void> => {
    const [name = '', ...args] = command.split(' ');
    const words = await refusalOf(() => probe.call(name, ...args));
    if (words !== undefined && !refused.has(words)) refused.set(words, command);
  };
  try {
    // EXEC comes first, when there is nothing to execute.
    await Promise.all(['EXEC', 'MULTI', ...probing(prefix), 'DISCARD'].map(attempt));
    return [...refused].map(([words, command]) => (words.includes("'") ? words : `${words} (${command})`));
  } finally {
    probe.disconnect();
  }
};

/** The commands with key names: those beside the queues, then those of the queues. */
const probing = (prefix: string): readonly string[] => {
  const queued = `${prefix}:bq:probe`;
  return [`${prefix}:probe`, queued].flatMap((key) => {
    const names: Readonly<Record<string, string | undefined>> = { K: key, B: queued };
    return redisNeeds.map((command) => command.replace(/\b[KB]\b/g, (letter) => names[letter] ?? letter));
  });
};

/** Text that a server puts around the actual message. */
const wrapping = /^EXECABORT [^:]*: |, with args beginning with:.*/gs;

/** The server's message if it rejects the command; undefined if it accepts it, or is temporarily unable to. */
const refusalOf = async (act: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ReplyError') throw error;
    const words = error.message.replace(wrapping, '');
    return refusal.test(words) ? words : undefined;
  }
};
