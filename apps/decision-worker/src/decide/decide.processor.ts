import { Queues, type StepPayload, type StepResult } from '@fleet/contracts';
import { HandlesJob, type JobHandler } from '@fleet/queue';
import { runStep, STEP_PORTS, type StepPorts } from '@fleet/steps';
import { Inject } from '@nestjs/common';
import { DecideNextStep } from './decide-next-step';

/**
 * The job `decide` of the queue `decisions`: one decision of one session, or its end.
 * A repeated job finds the record moved on and changes nothing.
 */
@HandlesJob(Queues.decisions, 'decide')
export class DecideProcessor implements JobHandler<typeof Queues.decisions, 'decide'> {
  constructor(
    @Inject(STEP_PORTS) private readonly ports: StepPorts,
    @Inject(DecideNextStep) private readonly step: DecideNextStep,
  ) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return runStep(this.ports, this.step, payload);
  }
}
