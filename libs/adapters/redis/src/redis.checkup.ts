import { isIP } from 'node:net';
import type { Finding } from '@fleet/contracts/administration';
import { nameFinding, timeFindings } from '@fleet/observability';
import { finding, levelOf, type Checkup } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { evictionPolicy, evictionRemedy, evictionWhy, field, memoryPercent } from './durable-redis';

/** Older ones lack ZINTERCARD: no service starts on them. */
const oldestGood = [7, 0] as const;

/** Checks Redis: eviction, memory, latency and clock. */
export class RedisCheckup implements Checkup {
  readonly area = 'redis';

  constructor(private readonly redis: Redis) {}

  async check(): Promise<readonly Finding[]> {
    return [
      ...(await nameFindings(this.redis)),
      versionFinding(await this.redis.info('server')),
      await evictionFinding(this.redis),
      await memoryFinding(this.redis),
      ...(await timeFindings(timed, () => timeOf(this.redis))),
    ];
  }
}

const evictionFinding = async (redis: Redis): Promise<Finding> => {
  const { found, isGood } = await evictionPolicy(redis);
  return finding(
    'redis.eviction',
    isGood ? 'ok' : 'error',
    found === undefined ? 'maxmemory-policy cannot be read.' : `maxmemory-policy is ${found}.`,
    { why: `${evictionWhy}.`, remedy: evictionRemedy },
  );
};

/** Whether Redis's host name resolves, if it has one. */
const nameFindings = async ({ options }: Redis): Promise<readonly Finding[]> => {
  const hosts = [options.host, ...(options.sentinels ?? []).map(({ host }) => host)];
  const names = [...new Set(hosts)].filter((host): host is string => host !== undefined && isIP(host) === 0);
  return Promise.all(names.map((name) => nameFinding('redis.name', name, nameAdvice)));
};

const nameAdvice = {
  why: 'Reconnecting starts with resolving the name, so each failover and restart waits for it.',
  remedy: 'Check the name server of this machine (in a cluster: CoreDNS), and the name in REDIS_URL.',
};

const versionFinding = (info: string): Finding => {
  const version = field(info, 'redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isGood = major > oldestGood[0] || (major === oldestGood[0] && minor >= oldestGood[1]);
  return finding('redis.version', isGood ? 'ok' : 'warning', `The version of Redis is ${version || 'unknown'}.`, {
    why: 'Older versions lack required commands and get no security updates.',
    remedy: `Use Redis ${oldestGood.join('.')} or later.`,
  });
};

const memoryFinding = async (redis: Redis): Promise<Finding> => {
  const percent = await memoryPercent(redis);
  const seen = percent === undefined ? 'Redis has no maxmemory.' : `Redis uses ${String(percent)} % of its maxmemory.`;
  return finding('redis.memory', levelOf(percent ?? 0, { warning: 80, error: 95 }), seen, {
    why: 'At 100 % no step is queued: sessions wait.',
    remedy: 'Raise maxmemory, or find what fills it (docs/runbooks/redis-nearly-full.md).',
  });
};

const timed = {
  area: 'redis',
  name: 'Redis',
  latency: {
    why: 'Every step passes through a queue: the loop is as fast as Redis answers.',
    remedy:
      'Run Redis close to the services, on a machine that is not overloaded, and check slow commands (SLOWLOG GET).',
  },
  clockWhy:
    'Rate limits and delays of queues follow the clock of Redis; times in records, deadlines and the expiry of tokens follow each machine.',
} as const;

const timeOf = async (redis: Redis): Promise<number> => {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
};
