import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { errnoOf, type Finding } from '@fleet/contracts';
import { finding, levelOf, medianOf, type Checkup } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { configured, durableSettings, field, memoryPercent, type DurableSetting } from './durable-redis';

/** Questions that the latency is the middle of. */
const questions = 21;

/** Older ones do not know ZINTERCARD: no service starts on them. */
const oldestGood = [7, 0] as const;

/** Redis as it is now: what it keeps, how full and how fast it is, what time it has. */
export class RedisCheckup implements Checkup {
  readonly area = 'redis';

  constructor(private readonly redis: Redis) {}

  async check(): Promise<readonly Finding[]> {
    const [names, settings, memory, persistence, version, speed] = [
      await nameFindings(this.redis),
      (await durableSettings(this.redis)).map(settingFinding),
      await memoryFinding(this.redis),
      await writingFindings(this.redis),
      versionFinding(await this.redis.info('server')),
      await timeFindings(this.redis),
    ];
    return [...names, version, ...settings, ...persistence, memory, ...speed];
  }
}

const checkOf = { 'maxmemory-policy': 'redis.eviction', appendonly: 'redis.append_only_file' } as const;

const settingFinding = ({ setting, wanted, found, why, remedy }: DurableSetting): Finding =>
  finding(
    checkOf[setting],
    found === wanted ? 'ok' : 'error',
    found === undefined ? `${setting} cannot be read.` : `${setting} is ${found}.`,
    { why: `${why}.`, remedy },
  );

/** Where Redis is called by a name, whether the name is found. */
const nameFindings = async ({ options }: Redis): Promise<readonly Finding[]> => {
  const hosts = [options.host, ...(options.sentinels ?? []).map(({ host }) => host)];
  const names = [...new Set(hosts)].filter((host): host is string => host !== undefined && isIP(host) === 0);
  return Promise.all(names.map(nameFinding));
};

const nameFinding = async (name: string): Promise<Finding> => {
  const advice = {
    why: 'A connection that is made anew begins with the name: each failover and restart waits for it.',
    remedy: 'Check the name server of this machine (in a cluster: CoreDNS), and the name in REDIS_URL.',
  };
  const start = performance.now();
  try {
    const { address } = await lookup(name);
    const ms = performance.now() - start;
    const level = levelOf(ms, { warning: 200, error: 2_000 });
    return finding('redis.name', level, `${name} is ${address}, found in ${ms.toFixed(0)} ms.`, advice);
  } catch (error) {
    return finding('redis.name', 'error', `${name} is not found: ${errnoOf(error) ?? String(error)}.`, advice);
  }
};

const versionFinding = (info: string): Finding => {
  const version = field(info, 'redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isGood = major > oldestGood[0] || (major === oldestGood[0] && minor >= oldestGood[1]);
  return finding('redis.version', isGood ? 'ok' : 'warning', `Redis says that it is version ${version || 'unknown'}.`, {
    why: 'Older versions lack commands that the services need, and get no security updates.',
    remedy: `Use Redis ${oldestGood.join('.')} or later.`,
  });
};

/** Whether the last writes to the disk went well, and how often they are synced. */
const writingFindings = async (redis: Redis): Promise<readonly Finding[]> => {
  const state = field(await redis.info('persistence'), 'aof_last_write_status');
  const sync = await configured(redis, 'appendfsync');
  return [
    ...(state === undefined
      ? []
      : [
          finding(
            'redis.last_write',
            state === 'ok' ? 'ok' : 'error',
            `Redis says of its last write to the disk: ${state}.`,
            {
              why: 'Redis refuses every write until its file can be written: no session goes on.',
              remedy: 'Look whether the disk of Redis is full or broken (df, dmesg), and into its log.',
            },
          ),
        ]),
    ...(sync === undefined
      ? []
      : [
          finding('redis.sync', sync === 'no' ? 'warning' : 'ok', `appendfsync is ${sync}.`, {
            why: 'The system decides when the disk gets what was written: a power failure may cost half a minute of moves.',
            remedy: 'redis-cli CONFIG SET appendfsync everysec (and in redis.conf, so that it stays).',
          }),
        ]),
  ];
};

const memoryFinding = async (redis: Redis): Promise<Finding> => {
  const percent = await memoryPercent(redis);
  const seen = percent === undefined ? 'Redis has no maxmemory.' : `Redis uses ${String(percent)} % of its maxmemory.`;
  return finding('redis.memory', levelOf(percent ?? 0, { warning: 80, error: 95 }), seen, {
    why: 'At 100 % no session is accepted and none goes on.',
    remedy: 'Raise maxmemory, or archive ended sessions sooner (docs/runbooks/redis-nearly-full.md).',
  });
};

/** How long an answer takes, and how far its clock is from ours. */
const timeFindings = async (redis: Redis): Promise<readonly Finding[]> => {
  const tookMs: number[] = [];
  const aheadMs: number[] = [];
  for (let asked = 0; asked < questions; asked += 1) {
    const [start, began] = [performance.now(), Date.now()];
    const [seconds, microseconds] = await redis.time();
    const took = performance.now() - start;
    tookMs.push(took);
    aheadMs.push(began + took / 2 - (Number(seconds) * 1000 + Number(microseconds) / 1000));
  }
  const latency = medianOf(tookMs);
  const ahead = medianOf(aheadMs);
  return [
    finding(
      'redis.latency',
      levelOf(latency, { warning: 5, error: 100 }),
      `An answer of Redis takes ${latency.toFixed(2)} ms.`,
      {
        why: 'A step makes a few calls one after the other: the loop is as fast as Redis answers.',
        remedy:
          'Put Redis near the services, on a machine that is not overloaded, and look for slow commands (SLOWLOG GET).',
      },
    ),
    finding(
      'redis.clock',
      levelOf(Math.abs(ahead), { warning: 2_000, error: 60_000 }),
      `The clock of this machine and that of Redis differ by ${(Math.abs(ahead) / 1000).toFixed(1)} s.`,
      {
        why: 'Deadlines follow the clock of Redis; times in records, the expiry of keys and tokens and the order of logs follow each machine.',
        remedy: 'Let all machines keep their time by one server (chrony, systemd-timesyncd).',
      },
    ),
  ];
};
