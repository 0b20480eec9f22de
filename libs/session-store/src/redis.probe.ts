import type { HealthProbe, HealthReport } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { durabilityProblems } from './durable-redis';

/** Whether Redis answers, how fast, and whether it keeps what it is given. */
export class RedisProbe implements HealthProbe {
  readonly name = 'redis';

  constructor(private readonly redis: Redis) {}

  async check(): Promise<HealthReport> {
    try {
      const start = performance.now();
      await this.redis.ping();
      const pingMs = Math.round((performance.now() - start) * 10) / 10;
      const problems = await durabilityProblems(this.redis);
      return problems.length === 0
        ? { healthy: true, detail: { pingMs, durable: true } }
        : { healthy: false, detail: { pingMs, durable: false, reason: problems.join(' ') } };
    } catch (error) {
      return { healthy: false, detail: { reason: error instanceof Error ? error.message : String(error) } };
    }
  }
}
