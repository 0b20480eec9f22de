import { Inject, Injectable, Logger } from '@nestjs/common';
import { WorkOnRow } from '@fleet/batches';
import { failureText } from '@fleet/contracts/faults';
import { BackgroundLoop } from '@fleet/loop';
import { BATCH_RECORDS, type BatchRecords, type ClaimedRows } from '@fleet/ports';

/** Rows that one look takes: they are one gateway's for so long, in milliseconds; who dies with them keeps nobody waiting longer. */
const rowsPerLook = 32;
const claimMs = 15_000;
/** Rows that are worked on at a time. */
const atOnce = 6;
/** Milliseconds between two looks where nothing is due; another gateway may have written it. */
const idleMs = 1_000;
/** Milliseconds until a row is looked at again that could not be now: too many files wait, or the store is away. */
const laterMs = 2_000;

/**
 * Works on rows of batches that are due: they are checked, become sessions, or are cancelled. Every gateway does so, without a leader; what
 * is due stands in the store, and doing it twice changes nothing. It ends with its gateway and leaves what it has not done to the others, or to
 * the next one.
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

  /** One check. True: there was something to do. */
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
