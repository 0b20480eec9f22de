import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Inject, Query } from '@nestjs/common';
import { routes } from '@fleet/contracts/routes';
import type { HealthProbe, HealthReport } from '@fleet/ports';
import {
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  type HealthIndicatorResult,
} from '@nestjs/terminus';
import { Handles } from '../../http/handles.decorator';
import { ApiError } from '../../http/errors/problem-details';
import { readQuery, type Query as QueryValues } from '../../http/read-query';
import { HEALTH_PROBES, type GatedProbe } from './health-probes';

/** Timeout of the probes in milliseconds; a readiness request takes little longer. */
const timeoutMs = 2000;

/** A hanging probe is unhealthy. */
const inTime = async (probe: HealthProbe): Promise<HealthReport> => {
  const over = new AbortController();
  const late = pause(timeoutMs, undefined, { signal: over.signal }).then((): HealthReport => ({
    healthy: false,
    detail: { reason: `no answer within ${String(timeoutMs)} ms` },
  }));
  try {
    return await Promise.race([probe.check(), late]);
  } finally {
    over.abort();
  }
};

@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @Inject(HEALTH_PROBES) private readonly probes: readonly GatedProbe[],
  ) {}

  @Handles(routes.health.live)
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  /** @throws ApiError `service.not_ready` that names each failed probe */
  @Handles(routes.health.ready)
  async ready(@Query() query: QueryValues): Promise<HealthCheckResult> {
    const { strict } = readQuery(routes.health.ready, query);
    const failed: { field: string; reason: string }[] = [];
    const indicators = this.probes.map(({ probe, failure }) => async (): Promise<HealthIndicatorResult> => {
      const { healthy, detail } = await inTime(probe);
      const indicator = this.indicators.check(probe.name);
      if (healthy) return indicator.up(detail);
      if (strict === true || failure === 'down') failed.push({ field: probe.name, reason: JSON.stringify(detail) });
      // The response to a failed check is created here: the library's own would not be problem+json.
      return indicator.degraded(detail);
    });
    const result = await this.health.check(indicators);
    if (failed.length === 0) return result;
    throw new ApiError('service.not_ready', `Not ready: ${failed.map(({ field }) => field).join(', ')}.`, failed);
  }
}
