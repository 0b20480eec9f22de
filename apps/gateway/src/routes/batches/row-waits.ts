import { Inject, Injectable } from '@nestjs/common';
import { rowPages } from '@fleet/batches';
import type { BatchState } from '@fleet/contracts/batches';
import type { ExpectedWait } from '@fleet/contracts/launches';
import { ExpectedWaits, type NewRun } from '@fleet/launches';
import { BATCH_RECORDS, CLOCK, type BatchRecords, type Clock, type StoredRow } from '@fleet/ports';
import { RecentAnswer } from '../../http/recent-answer';

type Waits = ReadonlyMap<string, ExpectedWait>;

/** Lifetime of an answer in milliseconds: the pages of one batch are requested in sequence. */
const freshMs = 5_000;

const nameOf = (row: number): string => `row ${String(row)}`;

/** The first run of a dry-run row; a session that would end at once waits for nothing. */
const runOf = ({ batch, priority }: BatchState, { row, state, first }: StoredRow): readonly NewRun[] => {
  if (state !== 'checked' || first?.class === undefined) return [];
  const { proposal, submitter: user, defaults } = batch;
  const own = priority ?? first.priority ?? defaults?.priority ?? 'standard';
  return [{ name: nameOf(row), proposal, user, priority: own, nodes: first.class }];
};

/** Expected waiting times of a dry run's rows for their first slots, if all were started now. */
@Injectable()
export class RowWaits {
  private readonly recent: RecentAnswer<Waits>;

  constructor(
    @Inject(BATCH_RECORDS) private readonly batches: BatchRecords,
    @Inject(CLOCK) clock: Clock,
    private readonly expected: ExpectedWaits,
  ) {
    this.recent = new RecentAnswer(clock, freshMs);
  }

  /** Empty for a batch whose rows start: their sessions show the waiting times. */
  async of(state: BatchState): Promise<(row: StoredRow) => ExpectedWait | undefined> {
    if (state.batch.start !== 'never') return () => undefined;
    const waits = await this.whole(state);
    return ({ row }) => waits.get(nameOf(row));
  }

  private whole(state: BatchState): Promise<Waits> {
    return this.recent.get(() => this.reckon(state), `${state.batch.id} ${String(state.states.checked)}`);
  }

  private async reckon(state: BatchState): Promise<Waits> {
    const runs: NewRun[] = [];
    for await (const rows of rowPages(this.batches, state.batch.id))
      runs.push(...rows.flatMap((row) => runOf(state, row)));
    return runs.length === 0 ? new Map() : this.expected.of(runs);
  }
}
