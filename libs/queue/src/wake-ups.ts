import { isFault, stepOf, wakeUpId, type SessionHead } from '@fleet/contracts';
import { SESSION_STORE, type SessionStore } from '@fleet/ports';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { ErrorLog } from './error-log';
import { JobProducer } from './job-producer';

/** Puts the step that a session needs into its queue: the fast path of the outbox. */
@Injectable()
export class WakeUps implements BeforeApplicationShutdown {
  private readonly errors = new ErrorLog(new Logger(WakeUps.name));
  private readonly acknowledging = new Set<Promise<void>>();

  constructor(
    @Inject(JobProducer) private readonly jobs: JobProducer,
    @Inject(SESSION_STORE) private readonly store: SessionStore,
  ) {}

  /**
   * Wakes whoever is next, as the head tells. Nothing is done for an ended session.
   * A passing fault is logged and swallowed on purpose: the record's outbox entry stays, and the sweeper sends it.
   */
  async wake(head: SessionHead): Promise<void> {
    try {
      await this.send(head);
    } catch (error) {
      if (!isFault(error) || error.kind !== 'transient') throw error;
      this.errors.report('waking a session at once', error);
    }
  }

  /**
   * As `wake`, but throws. The acknowledgement is not waited for: when it gets lost, the sweeper adds the same job id again,
   * which is a no-op or a stale step.
   * @throws Fault `queue.unreachable` (transient)
   */
  async send(head: SessionHead): Promise<void> {
    const step = stepOf(head);
    if (step === undefined) return;
    const payload = { version: 1, sessionId: head.id, sessionVersion: head.version } as const;
    const jobId = wakeUpId(head);
    switch (step.queue) {
      case 'decisions':
        await this.jobs.add(step.queue, step.job, payload, jobId);
        break;
      case 'executions':
        await this.jobs.add(step.queue, step.job, payload, jobId);
        break;
      case 'analyses':
        await this.jobs.add(step.queue, step.job, payload, jobId);
        break;
    }
    this.acknowledge(head);
  }

  /** Resolves when all acknowledgements that are under way have been answered. */
  async settled(): Promise<void> {
    await Promise.all(this.acknowledging);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.settled();
  }

  private acknowledge(head: SessionHead): void {
    const answered: Promise<void> = this.store
      .acknowledge(head.id, head.version)
      .catch((error: unknown) => {
        this.errors.report('acknowledging a wake-up', error);
      })
      .finally(() => this.acknowledging.delete(answered));
    this.acknowledging.add(answered);
  }
}
