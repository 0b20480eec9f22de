import type { HealthProbe } from '@fleet/ports';
import { Inject, Injectable } from '@nestjs/common';
import {
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  type HealthIndicatorResult,
} from '@nestjs/terminus';

/** The probes of this process; passed to HealthModule.forWorker. */
export const HEALTH_PROBES = Symbol('HealthProbes');

/** Whether this worker can work now, in the form of terminus. */
@Injectable()
export class HealthService {
  constructor(
    @Inject(HealthCheckService) private readonly checks: HealthCheckService,
    @Inject(HealthIndicatorService) private readonly indicators: HealthIndicatorService,
    @Inject(HEALTH_PROBES) private readonly probes: readonly HealthProbe[],
  ) {}

  /** @throws ServiceUnavailableException (503) of terminus if a probe is unhealthy; its response is the report */
  ready(): Promise<HealthCheckResult> {
    return this.checks.check(this.probes.map((probe) => () => this.ask(probe)));
  }

  private async ask(probe: HealthProbe): Promise<HealthIndicatorResult> {
    const { healthy, detail } = await probe.check();
    const indicator = this.indicators.check(probe.name);
    return healthy ? indicator.up(detail) : indicator.down(detail);
  }
}
