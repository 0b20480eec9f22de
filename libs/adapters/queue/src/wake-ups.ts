import { isTransient } from '@fleet/contracts/faults';
import { stepOf, wakeUpId } from '@fleet/contracts/runs';
import type { SessionHead } from '@fleet/contracts/sessions';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ErrorLog } from './error-log';
import { JobProducer } from './job-producer';

/**
 * Puts the step that a session needs into its queue: the fast path of the outbox.
 *
 * The outbox entry itself is not removed here: the session's next transition does that. Only an entry that outlives the
 * sweeper's grace period is sent again and acknowledged, so that a session that moves fast costs one write per step.
 */
@Injectable()
export class WakeUps {
  private readonly errors = new ErrorLog(new Logger(WakeUps.name));
  private readonly inProgress = new Set<Promise<void>>();

  constructor(@Inject(JobProducer) private readonly jobs: JobProducer) {}

  /**
   * Wakes the worker of the session's next stage; does nothing for an ended session. Resolves at once, while the
   * wake-up is being sent: the record is written, and the sweeper resends a wake-up that fails or gets lost.
   */
  wake(head: SessionHead): Promise<void> {
    const sent: Promise<void> = this.send(head)
      .catch((error: unknown) => {
        const what = isTransient(error) ? 'waking a session at once' : 'waking a session';
        this.errors.report(what, error);
      })
      .finally(() => this.inProgress.delete(sent));
    this.inProgress.add(sent);
    return Promise.resolve();
  }

  /**
   * Like `wake`, but resolves when the step is in its queue.
   * @throws Fault `queue.unreachable` (transient)
   */
  async send(head: SessionHead): Promise<void> {
    const step = stepOf(head);
    if (step === undefined) return;
    const payload = { version: 1, sessionId: head.id, sessionVersion: head.version } as const;
    const jobId = wakeUpId(head);
    switch (step.queue) {
      case 'decisions':
        return this.jobs.add(step.queue, step.job, payload, jobId);
      case 'executions':
        return this.jobs.add(step.queue, step.job, payload, jobId);
      case 'analyses':
        return this.jobs.add(step.queue, step.job, payload, jobId);
    }
  }

  /** Resolves when no wake-up is being sent. */
  async settled(): Promise<void> {
    await Promise.all(this.inProgress);
  }
}
