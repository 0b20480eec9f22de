import type { HealthProbe, HealthReport } from '@fleet/ports';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { evictionProblem, memoryPercent } from './durable-redis';
import { permissionProblem } from './permitted-redis';

/** Warning threshold in percent: at 100 % nothing can be queued. */
const nearlyFull = 80;

/** Interval between permission checks, in milliseconds: each rejection is an entry in the log of Redis. */
const permittedForMs = 10_000;

/**
 * Whether Redis responds, how fast, whether it grants the needed permissions and evicts nothing, and how full it is.
 */
export class RedisProbe implements HealthProbe {
  readonly name = 'redis';
  private readonly logger = new Logger(RedisProbe.name);
  private toldOf = nearlyFull - 1;
  private permission: { readonly problem: string | undefined; readonly until: number } | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly keyPrefix: string,
    private readonly recheckMs = permittedForMs,
  ) {}

  async check(): Promise<HealthReport> {
    try {
      const start = performance.now();
      await this.redis.ping();
      const pingMs = Math.round((performance.now() - start) * 10) / 10;
      const refused = await this.refused();
      if (refused !== undefined) return { healthy: false, detail: { pingMs, permitted: false, reason: refused } };
      const problem = await evictionProblem(this.redis);
      const full = await this.fullness();
      return problem === undefined
        ? { healthy: true, detail: { pingMs, durable: true, ...full } }
        : { healthy: false, detail: { pingMs, durable: false, ...full, reason: problem } };
    } catch (error) {
      return { healthy: false, detail: { reason: error instanceof Error ? error.message : String(error) } };
    }
  }

  private async refused(): Promise<string | undefined> {
    if (this.permission === undefined || performance.now() >= this.permission.until) {
      const problem = await permissionProblem(this.redis, this.keyPrefix);
      this.permission = { problem, until: performance.now() + this.recheckMs };
    }
    return this.permission.problem;
  }

  /** Logged once per percent. */
  private async fullness(): Promise<{ readonly memoryPercent?: number }> {
    const percent = await memoryPercent(this.redis);
    if (percent === undefined) return {};
    if (percent > this.toldOf) {
      const message = `Redis uses ${String(percent)} % of its maxmemory: at 100 % no step is queued. Raise it.`;
      this.logger.warn({ message, memoryPercent: percent });
      this.toldOf = percent;
    }
    return { memoryPercent: percent };
  }
}
