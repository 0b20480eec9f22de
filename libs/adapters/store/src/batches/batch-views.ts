import type { Selectable } from 'kysely';
import { rowStates, type BatchState } from '@fleet/contracts/batches';
import type { StoredRow } from '@fleet/ports';
import type { Database } from '../database';
import type { Tables } from '../tables';

export type BatchColumns = Selectable<Tables['batches']>;
export type RowColumns = Selectable<Tables['batch_rows']>;
export type Counts<Name extends string> = Readonly<Record<Name, number>>;

/** The count for each name; zero for missing ones. */
export const countsOf = <Name extends string>(
  names: readonly Name[],
  found: readonly { readonly name: Name | null; readonly count: string }[],
): Counts<Name> => {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (const { name, count } of found) if (name !== null) counts[name] = Number(count);
  return counts;
};

export const storedRow = ({ row, run, digest, line, state, outcome }: RowColumns): StoredRow => ({
  row,
  digest,
  line,
  run,
  state,
  ...outcome,
});

export const priorityOf = ({ priority }: Pick<BatchColumns, 'priority'>): Pick<BatchState, 'priority'> =>
  priority === null ? {} : { priority };

/** Batches with the states of their rows. */
export const statesOf = async (db: Database, kept: readonly BatchColumns[]): Promise<readonly BatchState[]> => {
  if (kept.length === 0) return [];
  const ids = kept.map(({ id }) => id);
  const found = await db
    .selectFrom('batch_rows')
    .select(['batch', 'state as name'])
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('batch', 'in', ids)
    .groupBy(['batch', 'state'])
    .execute();
  return kept.map((one) => ({
    batch: one.batch,
    status: one.status,
    complete: one.complete,
    rows: one.rows,
    states: countsOf(
      rowStates,
      found.filter(({ batch }) => batch === one.id),
    ),
    ...priorityOf(one),
    changedAt: one.changed_at.getTime(),
  }));
};
