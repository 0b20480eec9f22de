import { SweeperConfig } from '@fleet/config';
import { stepOf, wakeUpId } from '@fleet/contracts/runs';
import type { SessionHead } from '@fleet/contracts/sessions';
import { BackgroundLoop } from '@fleet/loop';
import { METRICS, STEP_SCHEDULE, unmeasured, type Metrics, type StepSchedule } from '@fleet/ports';
import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { ErrorLog } from './error-log';
import { JobProducer } from './job-producer';
import { WakeUps } from './wake-ups';

export interface SweepReport {
  /** Unacknowledged wake-ups that were sent again. */
  readonly resent: number;
  /** Overdue sessions without a job that were woken again. */
  readonly rewoken: number;
  /** Overdue sessions whose job is still in its queue. */
  readonly postponed: number;
}

/** `left`: it needs no step, or one that this release does not know; a worker of the newer one wakes it. */
type Looked = 'rewoken' | 'postponed' | 'left' | 'failed';

/** Sessions handled at the same time by one sweep. */
const AT_ONCE = 32;

/** How long a sweep reserves what it has found, in milliseconds: several times what it needs for a batch. */
const CLAIM_MS = 5_000;

/**
 * Wakes what was forgotten: wake-ups that never reached their queue, and overdue sessions without a job. Any number of
 * copies may run without a leader: each takes its own batch, and the record's version makes repeats harmless.
 */
@Injectable()
export class Sweeper extends BackgroundLoop {
  private readonly logger = new Logger(Sweeper.name);
  private readonly errors = new ErrorLog(this.logger);

  constructor(
    @Inject(STEP_SCHEDULE) private readonly schedule: StepSchedule,
    @Inject(JobProducer) private readonly jobs: JobProducer,
    @Inject(WakeUps) private readonly wakeUps: WakeUps,
    @Inject(SweeperConfig) private readonly config: SweeperConfig,
    @Optional() @Inject(METRICS) private readonly metrics: Metrics = unmeasured,
  ) {
    super(
      () => this.sweepAndCount(),
      config.intervalMs,
      (error) => this.errors.report('a sweep', error),
    );
  }

  /** Checks once for everything that was forgotten, at most one batch of each kind. */
  async sweep(): Promise<SweepReport> {
    const { graceMs, batch, recheckMs } = this.config;
    const claimMs = Math.min(CLAIM_MS, recheckMs);
    const forgotten = await this.schedule.unacknowledged(graceMs, batch, claimMs);
    const resent = await this.each(forgotten, (head) => this.sendAgain(head));
    const overdue = await this.schedule.overdue(batch, claimMs);
    const looked = await this.each(overdue, (head) => this.lookAfter(head));
    const count = (results: readonly Looked[], what: Looked): number => results.filter((one) => one === what).length;
    return {
      resent: count(resent, 'rewoken'),
      rewoken: count(looked, 'rewoken'),
      postponed: count(looked, 'postponed'),
    };
  }

  private async sweepAndCount(): Promise<void> {
    const report = await this.sweep();
    for (const found of ['resent', 'rewoken', 'postponed'] as const)
      this.metrics.count('phenix_fleet_sweeper_sessions_total', { found }, report[found]);
    if (report.rewoken > 0) this.logger.log({ message: 'woke overdue sessions without a step', ...report });
  }

  private async lookAfter(head: SessionHead): Promise<Looked> {
    const step = stepOf(head);
    if (step === undefined) return 'left';
    const { state } = await this.jobs.lookUp(step.queue, wakeUpId(head));
    const inQueue = state === 'waiting' || state === 'active';
    const next = await this.schedule.postpone(head.id, head.version, this.config.recheckMs, !inQueue);
    if (inQueue || next === undefined) return 'postponed';
    return this.sendAgain(next);
  }

  private async sendAgain(head: SessionHead): Promise<Looked> {
    if (stepOf(head) === undefined) return 'left';
    await this.wakeUps.send(head);
    await this.schedule.acknowledge(head.id, head.version);
    return 'rewoken';
  }

  /** One damaged session must not block the others. */
  private async each(
    heads: readonly SessionHead[],
    act: (head: SessionHead) => Promise<Looked>,
  ): Promise<readonly Looked[]> {
    const results: Looked[] = [];
    for (let from = 0; from < heads.length; from += AT_ONCE) {
      const some = heads.slice(from, from + AT_ONCE).map((head) =>
        act(head).catch((error: unknown): Looked => {
          this.errors.report('waking a forgotten session', error);
          return 'failed';
        }),
      );
      results.push(...(await Promise.all(some)));
    }
    return results;
  }
}
