import { Queues, type StepPayload, type StepResult } from '@fleet/contracts/queues';
import { HandlesJob, type JobHandler } from '@fleet/queue';
import { runStep, STEP_PORTS, type StepPorts } from '@fleet/steps';
import { Inject } from '@nestjs/common';
import { ExecuteAttempt } from './execute-attempt';

/**
 * Job `execute`: a session is in stage `executing`. Starts its program, or detects its end, and returns. Separate from
 * the use case, which is independent of queues.
 */
@HandlesJob(Queues.executions, 'execute')
export class ExecuteProcessor implements JobHandler<'executions', 'execute'> {
  constructor(
    @Inject(STEP_PORTS) private readonly ports: StepPorts,
    @Inject(ExecuteAttempt) private readonly step: ExecuteAttempt,
  ) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return runStep(this.ports, this.step, payload);
  }
}
