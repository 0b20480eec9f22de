import { Queues, type StepPayload, type StepResult } from '@fleet/contracts';
import { HandlesJob, type JobHandler } from '@fleet/queue';
import { Inject } from '@nestjs/common';
import { DecideNextStep } from './decide-next-step';

/**
 * The job `decide` of the queue `decisions`: one decision of one session, or its end.
 * A repeated job finds the record moved on and changes nothing.
 */
@HandlesJob(Queues.decisions, 'decide')
export class DecideProcessor implements JobHandler<typeof Queues.decisions, 'decide'> {
  constructor(@Inject(DecideNextStep) private readonly decideNextStep: DecideNextStep) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.decideNextStep.run(payload);
  }
}
