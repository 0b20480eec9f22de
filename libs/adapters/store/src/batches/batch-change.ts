import { sql, type Transaction, type Updateable } from 'kysely';
import type { Batch } from '@fleet/contracts/batches';
import type { NewRow } from '@fleet/ports';
import type { BatchColumns, RowColumns } from './batch-views';
import type { Tables } from '../tables';

/** The outcome of a run of a row. */
interface SettledRow extends Pick<RowColumns, 'row' | 'run' | 'state' | 'outcome' | 'session'> {
  readonly dueAt: Date | null;
}

/** Writes of one change of a batch, in its transaction, which locks the batch and its rows. */
export class BatchChange {
  constructor(
    readonly tx: Transaction<Tables>,
    private readonly id: string,
    readonly now: Date,
  ) {}

  /** @returns false: another process has just created it */
  async create(batch: Batch): Promise<boolean> {
    const created = await this.tx
      .insertInto('batches')
      .values({
        id: batch.id,
        proposal: batch.proposal,
        status: 'open',
        only_checked: batch.start === 'never',
        starts: batch.start === 'each',
        created_at: new Date(batch.createdAt),
        changed_at: this.now,
        batch: JSON.stringify(batch),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    return created.numInsertedOrUpdatedRows === 1n;
  }

  async remove(): Promise<void> {
    await this.tx.deleteFrom('batches').where('id', '=', this.id).execute();
  }

  async set(columns: Updateable<Tables['batches']>): Promise<void> {
    await this.tx.updateTable('batches').set(columns).where('id', '=', this.id).execute();
  }

  /** Like `set`, for columns that count as a change of the batch. */
  async change(columns: Updateable<Tables['batches']> = {}): Promise<void> {
    await this.set({ changed_at: this.now, ...columns });
  }

  async knownDigests(rows: readonly NewRow[]): Promise<Set<string>> {
    if (rows.length === 0) return new Set();
    const digests = rows.map(({ digest }) => digest);
    const found = await this.tx
      .selectFrom('batch_rows')
      .select('digest')
      .where('batch', '=', this.id)
      .where('digest', 'in', digests)
      .execute();
    return new Set(found.map(({ digest }) => digest));
  }

  /** @param after number of existing rows */
  async append(rows: readonly NewRow[], after: number): Promise<void> {
    if (rows.length === 0) return;
    const values = rows.map(({ digest, line, content }, index) => {
      const made = { batch: this.id, row: after + index + 1, run: 0, digest, line };
      return 'problem' in content
        ? { ...made, state: 'rejected' as const, outcome: JSON.stringify({ problems: [content.problem] }) }
        : { ...made, state: 'waiting' as const, outcome: '{}', content: content.row, due_at: this.now };
    });
    await this.tx.insertInto('batch_rows').values(values).execute();
  }

  async rows(numbers: readonly number[]): Promise<readonly RowColumns[]> {
    if (numbers.length === 0) return [];
    return this.tx
      .selectFrom('batch_rows')
      .selectAll()
      .where('batch', '=', this.id)
      .where('row', 'in', numbers)
      .execute();
  }

  /** @param numbers absent: all */
  async setRows(columns: Updateable<Tables['batch_rows']>, numbers?: readonly number[]): Promise<void> {
    if (numbers?.length === 0) return;
    const all = this.tx.updateTable('batch_rows').set(columns).where('batch', '=', this.id);
    await (numbers === undefined ? all : all.where('row', 'in', numbers)).execute();
  }

  /** Writes the outcomes of rows that are still in that run and have none. Returns how many. */
  async settleRows(rows: readonly SettledRow[]): Promise<number> {
    const { numAffectedRows = 0n } = await sql`UPDATE batch_rows
      SET state = given.state, outcome = given.outcome::json, session = given.session, due_at = given.due_at
      FROM unnest(${rows.map(({ row }) => row)}::integer[], ${rows.map(({ run }) => run)}::integer[],
        ${rows.map(({ state }) => state)}::text[], ${rows.map(({ outcome }) => JSON.stringify(outcome))}::text[],
        ${rows.map(({ session }) => session)}::text[], ${rows.map(({ dueAt }) => dueAt)}::timestamptz[]) AS given (number, run, state, outcome, session, due_at)
      WHERE batch_rows.batch = ${this.id} AND batch_rows.row = given.number AND batch_rows.run = given.run
        AND (batch_rows.state IN ('waiting', 'checked') OR (batch_rows.state = 'cancelled' AND given.state = 'accepted'))`.execute(
      this.tx,
    );
    return Number(numAffectedRows);
  }

  /** Starts a batch whose rows start together once all rows exist and are valid. */
  async startTogether({ batch, complete, starts }: BatchColumns): Promise<void> {
    if (batch.start !== 'together' || !complete || starts) return;
    const wrong = await this.tx
      .selectFrom('batch_rows')
      .select('row')
      .where('batch', '=', this.id)
      .where('state', 'in', ['waiting', 'rejected'])
      .limit(1)
      .executeTakeFirst();
    if (wrong !== undefined) return;
    await this.set({ starts: true });
    await this.setRows({ due_at: this.now });
  }
}
