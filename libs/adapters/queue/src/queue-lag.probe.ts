import { HealthConfig } from '@fleet/config';
import { Queues } from '@fleet/contracts/queues';
import { CLOCK, systemClock, type Clock, type HealthProbe, type HealthReport } from '@fleet/ports';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { JobProducer } from './job-producer';

/** Age of the oldest waiting step of each queue, in seconds. */
@Injectable()
export class QueueLagProbe implements HealthProbe {
  readonly name = 'queues';

  constructor(
    @Inject(JobProducer) private readonly jobs: JobProducer,
    @Inject(HealthConfig) private readonly config: HealthConfig,
    @Optional() @Inject(CLOCK) private readonly clock: Clock = systemClock,
  ) {}

  async check(): Promise<HealthReport> {
    try {
      const names = Object.values(Queues);
      const lags = await Promise.all(names.map((queue) => this.jobs.lagMs(queue, this.clock.now())));
      const seconds = lags.map((ms) => Math.round(ms / 100) / 10);
      return {
        healthy: seconds.every((lag) => lag <= this.config.queueLagLimitS),
        detail: Object.fromEntries(names.map((queue, index) => [`${queue}LagS`, seconds[index] ?? 0])),
      };
    } catch (error) {
      return { healthy: false, detail: { reason: error instanceof Error ? error.message : String(error) } };
    }
  }
}
