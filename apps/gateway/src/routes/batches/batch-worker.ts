import { Inject, Injectable, Logger } from '@nestjs/common';
import { WorkOnRow } from '@fleet/batches';
import { failureText } from '@fleet/contracts/faults';
import { BackgroundLoop } from '@fleet/loop';
import { BATCH_RECORDS, type BatchRecords, type ClaimedRows } from '@fleet/ports';

/** Rows claimed per check, and the lease of the claim in milliseconds: rows of a crashed gateway wait no longer. */
const rowsPerLook = 32;
const claimMs = 15_000;
/** Rows processed in parallel. */
const atOnce = 6;
/** Milliseconds between two checks if nothing is due; another gateway may have added work. */
const idleMs = 1_000;
/**
 * Milliseconds until a row is retried that cannot be processed now: too many files are waiting, or the store is
 * unreachable.
 */
const laterMs = 2_000;

/**
 * Processes due rows of batches: they are validated, become sessions, or are cancelled. Every gateway does so, without
 * a leader; the store holds what is due, and repeats are harmless. It stops with its gateway and leaves the rest to the
 * others, or to the next one.
 */
@Injectable()
export class BatchWorker extends BackgroundLoop {
  private readonly logger = new Logger(BatchWorker.name);
  private failing = false;

  constructor(
    @Inject(BATCH_RECORDS) private readonly batches: BatchRecords,
    private readonly working: WorkOnRow,
  ) {
    super(
      () => this.look(),
      idleMs,
      (error) => {
        if (!this.failing) this.logger.error({ message: 'rows of batches wait', reason: failureText(error) });
        this.failing = true;
      },
    );
  }

  /** One check. Returns whether there was work. */
  async look(): Promise<boolean> {
    const taken = await this.batches.claim(rowsPerLook, claimMs);
    if (taken !== undefined) await this.workOn(taken);
    this.failing = false;
    return taken !== undefined;
  }

  private async workOn(taken: ClaimedRows): Promise<void> {
    const rows = [...taken.rows];
    const work = async (): Promise<void> => {
      for (let row = rows.shift(); row !== undefined; row = rows.shift()) {
        if (this.isStopping) await this.batches.putOff(taken.batch.id, [row.row], 0);
        else await this.workOnOne(taken, row);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  private async workOnOne(taken: ClaimedRows, row: ClaimedRows['rows'][number]): Promise<void> {
    const { batches } = this;
    const { id } = taken.batch;
    const done = await this.working.run(taken, row);
    if (done === 'finished') await batches.finish(id, [row.row]);
    else if (done === 'later') await batches.putOff(id, [row.row], laterMs);
    else await batches.settle(id, row, done);
  }
}
