import { HealthConfig } from '@fleet/config';
import type { HealthProbe, HealthReport } from '@fleet/ports';
import { Inject, Injectable } from '@nestjs/common';
import { StepRunner } from './step-runner';

/**
 * Duration of this process's oldest step in progress, in seconds. Steps take seconds: one that hangs, on an unreachable
 * file server or on a file, holds a slot for ever. Steps that wait in the queue say nothing about this process.
 */
@Injectable()
export class StepsProbe implements HealthProbe {
  readonly name = 'steps';

  constructor(
    @Inject(StepRunner) private readonly steps: Pick<StepRunner, 'inProgress' | 'oldestMs'>,
    @Inject(HealthConfig) private readonly config: Pick<HealthConfig, 'stepAgeLimitS'>,
  ) {}

  check(): Promise<HealthReport> {
    const oldestS = Math.round(this.steps.oldestMs / 1000);
    const detail = { inProgress: this.steps.inProgress, oldestS };
    if (oldestS <= this.config.stepAgeLimitS) return Promise.resolve({ healthy: true, detail });
    const reason = `a step has been running for ${oldestS} s, longer than FLEET_STEP_AGE_LIMIT_S`;
    return Promise.resolve({ healthy: false, detail: { ...detail, reason } });
  }
}
