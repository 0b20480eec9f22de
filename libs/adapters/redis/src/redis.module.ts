import { RedisConfig } from '@fleet/config';
import { Fault, isTransient } from '@fleet/contracts/faults';
import { LOGIN_STORE, MEMBER_ANSWERS, MODEL_BREAKER, MODEL_INQUIRIES, RATE_LIMITS, SITE_LOOKS } from '@fleet/ports';
import { Inject, Injectable, Logger, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RedisLoginStore } from './access/redis-login-store';
import { RedisMemberAnswers } from './access/redis-member-answers';
import { RedisRateLimits } from './access/redis-rate-limits';
import { connectRedis } from './connect-redis';
import { assertOpenRedis, assertDurableRedis } from './durable-redis';
import { RedisModelBreaker } from './models/redis-model-breaker';
import { RedisModelInquiries } from './models/redis-model-inquiries';
import { assertPermittedRedis } from './permitted-redis';
import { reachingRedis } from './reaching-redis';
import { RedisMetrics } from './redis-metrics';
import { RedisCheckup } from './redis.checkup';
import { RedisProbe } from './redis.probe';
import { RedisSiteLooks } from './site/redis-site-looks';

const REDIS = Symbol('Redis');

/** Closes the connection last, after all modules have drained. */
@Injectable()
class RedisCloser implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: Redis) {}

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

interface RedisOptions {
  /** Timeout of a call in milliseconds; shorter for processes that answer users than for those that retry. */
  readonly timeoutMs?: number | undefined;
}

/** Ports whose data expires. */
const ports = [
  [LOGIN_STORE, RedisLoginStore],
  [RATE_LIMITS, RedisRateLimits],
  [MEMBER_ANSWERS, RedisMemberAnswers],
  [MODEL_BREAKER, RedisModelBreaker],
  [MODEL_INQUIRIES, RedisModelInquiries],
  [SITE_LOOKS, RedisSiteLooks],
] as const;

/** Provides what is stored in Redis beside the queues to the whole application. Needs RedisConfig from ConfigModule. */
@Module({})
export class RedisModule {
  /**
   * The application does not start if this Redis lacks permissions that the services need, or may evict keys (Fault
   * `store.misconfigured`).
   */
  static forRoot({ timeoutMs }: RedisOptions = {}): DynamicModule {
    return {
      module: RedisModule,
      global: true,
      providers: [
        { provide: REDIS, inject: [RedisConfig], useFactory: (config: RedisConfig) => openRedis(config, timeoutMs) },
        ...ports.map(([provide, Kind]) => ({
          provide,
          inject: [REDIS, RedisConfig],
          useFactory: (redis: Redis, { keyPrefix }: RedisConfig) => new Kind(redis, keyPrefix),
        })),
        {
          provide: RedisProbe,
          inject: [REDIS, RedisConfig],
          useFactory: (redis: Redis, { keyPrefix }: RedisConfig) => new RedisProbe(redis, keyPrefix),
        },
        { provide: RedisCheckup, inject: [REDIS], useFactory: (redis: Redis) => new RedisCheckup(redis) },
        { provide: RedisMetrics, inject: [REDIS], useFactory: (redis: Redis) => new RedisMetrics(redis) },
        RedisCloser,
      ],
      exports: [...ports.map(([token]) => token), RedisCheckup, RedisMetrics, RedisProbe],
    };
  }
}

/** Milliseconds to the first responses at a start; a connection without any is replaced meanwhile. */
const startMs = 60_000;

/**
 * Checks Redis over a separate connection, which waits longer than a request may: a process that starts on a busy
 * machine reads its first responses late.
 */
const checkRedis = async (config: RedisConfig): Promise<void> => {
  const redis = connectRedis(config, startMs);
  let why = '';
  redis.on('error', (error: Error) => {
    why = error.message;
  });
  try {
    await reachingRedis(redis, () => assertOpenRedis(redis));
    await assertPermittedRedis(redis, config.keyPrefix);
    await reachingRedis(redis, () => assertDurableRedis(redis));
  } catch (error) {
    throw isTransient(error) ? unreachable(why, error) : error;
  } finally {
    redis.disconnect();
  }
};

const openRedis = async (config: RedisConfig, timeoutMs: number | undefined): Promise<Redis> => {
  await checkRedis(config);
  const redis = connectRedis(config, timeoutMs);
  const logger = new Logger(RedisModule.name);
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) logger.error({ message: 'Redis is unreachable, reconnecting', reason: error.message });
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.log('Redis is back');
    away = false;
  });
  return redis;
};

/** The client reports the number of tries; the operator needs the cause and the setting. */
const unreachable = (why: string, cause: Fault): Fault =>
  new Fault('store.unreachable', 'transient', `the Redis of REDIS_URL cannot be reached: ${why || cause.message}`, {
    cause,
  });
