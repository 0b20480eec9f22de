import type { StepPayload } from '@fleet/contracts';
import {
  CLOCK,
  isoTime,
  SESSION_RECORDS,
  STEP_SCHEDULE,
  type Clock,
  type SessionRecords,
  type StepSchedule,
} from '@fleet/ports';
import { Inject, Injectable, Logger } from '@nestjs/common';

/**
 * A step that fails for good so many wake-ups in a row is woken no more. Failures are counted and not wake-ups: a session whose
 * program runs for hours is woken four times a minute, and one look that fails must not end it.
 */
const FAILURES_BEFORE_GIVING_UP = 4;

/**
 * Ends sessions whose step fails again and again for a reason that another try cannot mend, with that reason,
 * instead of waking them for ever. A session that is being cancelled is left to its cancellation.
 */
@Injectable()
export class HopelessSteps {
  private readonly logger = new Logger(HopelessSteps.name);

  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(STEP_SCHEDULE) private readonly schedule: StepSchedule,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Takes note of a failure that is not worth another try. True when it ended the session. */
  async failed({ sessionId, sessionVersion }: StepPayload, job: string, error: Error): Promise<boolean> {
    const head = await this.records.loadHead(sessionId);
    if (head?.status !== 'running' || head.version !== sessionVersion) return false;
    if ((await this.schedule.countFailure(sessionId, sessionVersion)) < FAILURES_BEFORE_GIVING_UP) return false;
    const at = isoTime(this.clock);
    const what = `The service could not ${job} cycle ${String(head.cycle)}: ${error.message.replace(/\.$/, '')}.`;
    const detail = `${what} Tell whoever runs it, with the id of this session, and resume once it is mended.`;
    const moved = await this.records.advance({
      sessionId,
      fromVersion: sessionVersion,
      to: { ended: { reason: 'error', detail, afterCycle: head.cycle } },
      events: [
        { type: 'error', cycle: head.cycle, at, message: detail, data: { job } },
        { type: 'session_ended', cycle: head.cycle, at, message: detail, data: { status: 'failed', reason: 'error' } },
      ],
      dueInMs: 0,
    });
    if (moved.applied) this.logger.error({ message: 'gave a session up', sessionId, job, reason: error.message });
    return moved.applied;
  }
}
