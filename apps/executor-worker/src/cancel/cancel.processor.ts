import { Queues, type StepPayload, type StepResult } from '@fleet/contracts/queues';
import { HandlesJob, type JobHandler } from '@fleet/queue';
import { runStep, STEP_PORTS, type StepPorts } from '@fleet/steps';
import { Inject } from '@nestjs/common';
import { CancelSession } from './cancel-session';

/** Job `cancel`: a cancel was requested. Ends the program first, then the session. */
@HandlesJob(Queues.executions, 'cancel')
export class CancelProcessor implements JobHandler<'executions', 'cancel'> {
  constructor(
    @Inject(STEP_PORTS) private readonly ports: StepPorts,
    @Inject(CancelSession) private readonly step: CancelSession,
  ) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return runStep(this.ports, this.step, payload);
  }
}
