import { isTransient } from '@fleet/contracts/faults';
import { stepOf, wakeUpId } from '@fleet/contracts/runs';
import type { SessionHead } from '@fleet/contracts/sessions';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ErrorLog } from './error-log';
import { JobProducer } from './job-producer';

/**
 * Puts the step that a session needs into its queue: the fast path of the outbox.
 *
 * The outbox entry itself is not taken away here: the session's next move does that. Only an entry that outlives the sweeper's
 * grace is sent again and acknowledged, so that a session that moves fast costs one write per step.
 */
@Injectable()
export class WakeUps {
  private readonly errors = new ErrorLog(new Logger(WakeUps.name));
  private readonly underWay = new Set<Promise<void>>();

  constructor(@Inject(JobProducer) private readonly jobs: JobProducer) {}

  /**
   * Wakes whoever is next, as the head tells; nothing for an ended session. Resolves at once, while the wake-up is on its way: the
   * record is written, and a wake-up that fails or gets lost is sent again by the sweeper.
   */
  wake(head: SessionHead): Promise<void> {
    const sent: Promise<void> = this.send(head)
      .catch((error: unknown) => {
        const what = isTransient(error) ? 'waking a session at once' : 'waking a session';
        this.errors.report(what, error);
      })
      .finally(() => this.underWay.delete(sent));
    this.underWay.add(sent);
    return Promise.resolve();
  }

  /**
   * As `wake`, but resolves when the step is in its queue.
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

  /** Resolves when nothing is on its way any more. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }
}
