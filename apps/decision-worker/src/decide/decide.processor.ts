import { failureText, isFault } from '@fleet/contracts/faults';
import { Queues, type StepPayload, type StepResult } from '@fleet/contracts/queues';
import { HandlesJob, type JobHandler } from '@fleet/queue';
import { laterRetryMs, runStep, STEP_PORTS, type StepPorts } from '@fleet/steps';
import { Inject } from '@nestjs/common';
import { DecideNextStep } from './decide-next-step';
import { ModelLane } from './model-lane';

/**
 * The job `decide` of the queue `decisions`: one decision of one session, or its end. When it calls a model the job
 * ends, and the step continues in the lane. A repeated job finds that the record has moved on and changes nothing.
 */
@HandlesJob(Queues.decisions, 'decide')
export class DecideProcessor implements JobHandler<typeof Queues.decisions, 'decide'> {
  constructor(
    @Inject(STEP_PORTS) private readonly ports: StepPorts,
    @Inject(DecideNextStep) private readonly step: DecideNextStep,
    @Inject(ModelLane) private readonly lane: ModelLane,
  ) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.lane.run({
      take: () => runStep(this.ports, this.step, payload),
      failed: (error) => this.again(payload, error),
    });
  }

  /**
   * The queue does not retry this step: it is retried at once if it was handed back, otherwise when the sweeper finds
   * it overdue.
   */
  private async again({ sessionId, sessionVersion }: StepPayload, error: unknown): Promise<void> {
    const { schedule, log } = this.ports;
    const isHandedBack = isFault(error) && error.code === 'decision.handed_back';
    try {
      const dueInMs = isHandedBack ? 0 : laterRetryMs;
      const head = await schedule.postpone(sessionId, sessionVersion, dueInMs, isHandedBack);
      if (isHandedBack && head !== undefined) await this.ports.waker.wake(head);
      if (!isHandedBack) log.error({ message: 'a decision with models failed', sessionId, reason: failureText(error) });
    } catch (trouble) {
      // The deadline set by the watch remains: the sweeper wakes the session.
      log.error({ message: 'a decision with models was not requeued', sessionId, reason: failureText(trouble) });
    }
  }
}
