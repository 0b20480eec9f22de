import { fateOfBatch, type BatchState } from '@fleet/contracts';
import type { BatchRecords, Clock, SessionArchive } from '@fleet/ports';

/** Batches of one look, and rows that are read of one at a time. */
const AT_MOST = 50;
const ROWS = 500;

export interface BatchArchiverOptions {
  readonly batches: BatchRecords;
  readonly archive: SessionArchive;
  readonly clock: Clock;
  /** Milliseconds that a session which has ended stays in the store. */
  readonly retentionMs: number;
  /** Hears of a batch that stays as it is, and why. */
  readonly onError: (batchId: string, error: unknown) => void;
}

/**
 * Takes what is no longer needed of batches out of the store. It goes through all of them again and again, some in each look. Any number of copies may run: what is taken is taken by one
 * script, and only where nothing has changed meanwhile.
 */
export class BatchArchiver {
  private cursor: string | undefined;

  constructor(private readonly options: BatchArchiverOptions) {}

  /** One look. Gives how many batches were archived or are gone. */
  async look(): Promise<number> {
    const { batches, nextCursor } = await this.options.batches.list({}, AT_MOST, this.cursor);
    this.cursor = nextCursor;
    let count = 0;
    for (const state of batches) {
      try {
        if (await this.retire(state)) count += 1;
      } catch (error) {
        this.options.onError(state.batch.id, error);
      }
    }
    return count;
  }

  private async retire(state: BatchState): Promise<boolean> {
    const { batches, clock, retentionMs } = this.options;
    const age = { idleMs: clock.now() - state.changedAt, retentionMs };
    // Its sessions are asked for only where they decide.
    if (fateOfBatch(state, { ...age, hasWholeSessions: false }) === 'stays') return false;
    const fate = fateOfBatch(state, { ...age, hasWholeSessions: await this.hasWholeSessions(state) });
    return fate !== 'stays' && (await batches.retire(state, fate)) === 'retired';
  }

  private async hasWholeSessions({ batch, rows }: BatchState): Promise<boolean> {
    const { batches, archive } = this.options;
    for (let after = 0; after < rows; after += ROWS) {
      const page = await batches.rows(batch.id, after, ROWS);
      const sessions = page.flatMap(({ verdict, session }) => (verdict === 'accepted' ? (session ?? []) : []));
      if (sessions.length > 0 && (await archive.hasWhole(sessions))) return true;
    }
    return false;
  }
}
