import { Inject, Injectable } from '@nestjs/common';
import type { BatchState, ExpectedWait } from '@fleet/contracts';
import { CLOCK, type Clock, type StoredRow } from '@fleet/ports';
import { ExpectedWaits, type NewRun } from '../shares/expected-waits.service';
import { RecentAnswer } from '../shares/recent-answer';
import { BATCH_RULES, type BatchRules } from './batch-rules';
import { rowPages } from './row-pages';

type Waits = ReadonlyMap<string, ExpectedWait>;

/** Milliseconds for which an answer is good enough: the pages of one batch are asked for one after the other. */
const freshMs = 5_000;

const nameOf = (row: number): string => `row ${String(row)}`;

/** What a row of a dry run would launch first; a session that would end at once waits for nothing. */
const runOf = ({ batch, priority }: BatchState, { row, verdict, first }: StoredRow): readonly NewRun[] => {
  if (verdict !== 'checked' || first?.class === undefined) return [];
  const { proposal, submitter: user, defaults } = batch;
  const own = priority ?? first.priority ?? defaults?.priority ?? 'standard';
  return [{ name: nameOf(row), proposal, user, priority: own, nodes: first.class }];
};

/** How long the rows of a dry run would wait for their first slots, if all were started now. */
@Injectable()
export class RowWaits {
  private readonly recent: RecentAnswer<Waits>;

  constructor(
    @Inject(BATCH_RULES) private readonly rules: Pick<BatchRules, 'batches'>,
    @Inject(CLOCK) clock: Clock,
    private readonly expected: ExpectedWaits,
  ) {
    this.recent = new RecentAnswer(clock, freshMs);
  }

  /** Nothing of a batch whose rows start: what they wait for is said by their sessions. */
  async of(state: BatchState): Promise<(row: StoredRow) => ExpectedWait | undefined> {
    if (state.batch.start !== 'never') return () => undefined;
    const waits = await this.whole(state);
    return ({ row }) => waits.get(nameOf(row));
  }

  private whole(state: BatchState): Promise<Waits> {
    return this.recent.get(() => this.reckon(state), `${state.batch.id} ${String(state.verdicts.checked)}`);
  }

  private async reckon(state: BatchState): Promise<Waits> {
    const runs: NewRun[] = [];
    for await (const rows of rowPages(this.rules.batches, state.batch.id))
      runs.push(...rows.flatMap((row) => runOf(state, row)));
    return runs.length === 0 ? new Map() : this.expected.of(runs);
  }
}
