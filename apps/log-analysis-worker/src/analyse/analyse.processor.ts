import { Queues, type StepPayload, type StepResult } from '@fleet/contracts/queues';
import { HandlesJob, type JobHandler } from '@fleet/queue';
import { runStep, STEP_PORTS, type StepPorts } from '@fleet/steps';
import { Inject } from '@nestjs/common';
import { AnalyseCycle } from './analyse-cycle';

/**
 * The job `analyse` of the queue `analyses`: a cycle's program has ended and is judged, and the session continues or
 * ends. A repeated job finds that the record has moved on and changes nothing.
 */
@HandlesJob(Queues.analyses, 'analyse')
export class AnalyseProcessor implements JobHandler<typeof Queues.analyses, 'analyse'> {
  constructor(
    @Inject(STEP_PORTS) private readonly ports: StepPorts,
    @Inject(AnalyseCycle) private readonly step: AnalyseCycle,
  ) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return runStep(this.ports, this.step, payload);
  }
}
