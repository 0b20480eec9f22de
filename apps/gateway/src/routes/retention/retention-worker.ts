import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { failureText } from '@fleet/contracts/faults';
import type { PurgeReport } from '@fleet/contracts/retention';
import { BackgroundLoop } from '@fleet/loop';
import { METRICS, unmeasured, type Metrics } from '@fleet/ports';
import { Retention } from '@fleet/retention';

const dayMs = 86_400_000;

/**
 * Announces once a day whose files are deleted in a week, and deletes what is due, a bounded number of sessions at a
 * time. Every gateway does so; each session is processed by one of them.
 */
@Injectable()
export class RetentionWorker extends BackgroundLoop {
  private readonly logger = new Logger('Retention');
  private next: string | undefined;

  constructor(
    private readonly retention: Retention,
    @Optional() @Inject(METRICS) private readonly metrics: Metrics = unmeasured,
  ) {
    super(
      () => this.look(),
      dayMs,
      (error) => {
        this.next = undefined;
        this.logger.warn({ message: 'expired sessions cannot be deleted today', reason: failureText(error) });
      },
    );
  }

  private async look(): Promise<boolean> {
    if (this.next === undefined) {
      const { finished, bytes, failed } = await this.retention.finishPurges();
      this.tell({ folders: finished, bytes, failed });
      await this.retention.tellExpiries();
    }
    const report = await this.retention.purgeDue(this.next === undefined ? {} : { after: this.next });
    const sum = (of: (rule: PurgeReport['rules'][number]) => number): number =>
      report.rules.reduce((all, rule) => all + of(rule), 0);
    this.tell({ folders: sum(({ folders }) => folders), bytes: sum(({ bytes }) => bytes), failed: report.failed });
    this.next = report.nextCursor;
    return this.next !== undefined;
  }

  private tell({ folders, bytes, failed }: { folders: number; bytes: number; failed: PurgeReport['failed'] }): void {
    this.metrics.count('phenix_fleet_purged_folders_total', {}, folders);
    this.metrics.count('phenix_fleet_purged_bytes_total', {}, bytes);
    this.metrics.count('phenix_fleet_purge_failures_total', {}, failed.length);
    if (folders > 0) this.logger.log({ message: 'folders of sessions were deleted', folders, bytes });
    for (const { id, reason } of failed)
      this.logger.warn({ message: 'an expired session cannot be deleted', sessionId: id, reason });
  }
}
