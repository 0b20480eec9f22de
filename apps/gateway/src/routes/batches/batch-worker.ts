import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { WorkOnRow, type RowWork } from '@fleet/batches';
import { failureText } from '@fleet/contracts/faults';
import { BackgroundLoop } from '@fleet/loop';
import { BATCH_RECORDS, type BatchRecords, type ClaimedRows, type StoredRow } from '@fleet/ports';

/** Rows claimed per check, and the lease of the claim in milliseconds: rows of a crashed gateway wait no longer. */
const rowsPerLook = 32;
const claimMs = 15_000;
/** Rows processed in parallel. */
const atOnce = 6;
/** Milliseconds between two checks if nothing is due; another gateway may have added work. */
const idleMs = 1_000;
/** Milliseconds after which outcomes are stored although other claimed rows are still in progress. */
const settleMs = 1_000;
/**
 * Milliseconds until a row is retried that cannot be processed now: too many files are waiting, or the store is
 * unreachable.
 */
const laterMs = 2_000;

interface WorkedRow extends Pick<StoredRow, 'row' | 'run'> {
  readonly work: RowWork;
}

const numbersOf = (rows: readonly Pick<StoredRow, 'row'>[]): readonly number[] => rows.map(({ row }) => row);

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

  /** Works on the rows side by side. Their outcomes are stored together, because each transaction waits for the disk. */
  private async workOn(taken: ClaimedRows): Promise<void> {
    const rows = [...taken.rows];
    const worked: WorkedRow[] = [];
    const work = async (): Promise<void> => {
      while (!this.isStopping) {
        const row = rows.shift();
        if (row === undefined) return;
        worked.push({ ...row, work: await this.working.run(taken, row) });
      }
    };
    const { id } = taken.batch;
    const working = Promise.all(Array.from({ length: atOnce }, work)).then(() => 'over');
    for (let isOver = false; !isOver;) {
      isOver = (await Promise.race([working, sleep(settleMs, '', { ref: false })])) === 'over';
      await this.store(id, worked.splice(0));
    }
    if (rows.length > 0) await this.batches.putOff(id, numbersOf(rows), 0);
  }

  private async store(id: string, worked: readonly WorkedRow[]): Promise<void> {
    const { batches } = this;
    const results = worked.flatMap(({ row, run, work }) =>
      typeof work === 'object' ? { row, run, outcome: work } : [],
    );
    const finished = worked.filter(({ work }) => work === 'finished');
    const later = worked.filter(({ work }) => work === 'later');
    if (results.length > 0) await batches.settle(id, results);
    if (finished.length > 0) await batches.finish(id, numbersOf(finished));
    if (later.length > 0) await batches.putOff(id, numbersOf(later), laterMs);
  }
}
