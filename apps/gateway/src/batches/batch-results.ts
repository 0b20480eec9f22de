import { sessionOfRow, toBatchResult } from '@fleet/api-views';
import type { BatchResult } from '@fleet/contracts';
import type { StoredRow } from '@fleet/ports';
import type { BatchRules } from './batch-rules';
import { rowPages } from './row-pages';

type Parts = Pick<BatchRules, 'batches' | 'index'>;

/** What rows have brought so far. */
export const resultsOfRows = async (
  rows: readonly StoredRow[],
  { index }: Pick<BatchRules, 'index'>,
): Promise<readonly BatchResult[]> => {
  const sessions = await index.rows(rows.flatMap((row) => sessionOfRow(row) ?? []));
  const byId = new Map(sessions.flatMap((session) => (session === undefined ? [] : [[session.id, session] as const])));
  return rows.map((row) => toBatchResult(row, byId.get(sessionOfRow(row) ?? '')));
};

/** By what results can be sorted; what has no such value comes last. */
export const resultOrders = ['row', 'fit', 'resolution', 'ligand'] as const;
export type ResultOrder = (typeof resultOrders)[number];

/** R-factors are better the smaller they are, correlations the larger. */
const badness = ({ session }: BatchResult): number => {
  const fit = session?.fit;
  if (fit === undefined) return Infinity;
  return fit.metric.startsWith('r_') ? fit.value : 1 - fit.value;
};

/** Ligands that the model holds come first, then by the correlation of the fit, which every fit has; an omit map is made of the good ones alone. */
const doubt = ({ session }: BatchResult): number => {
  const ligand = session?.ligand;
  if (ligand === undefined) return Infinity;
  return (ligand.inModel ? 0 : 2) + 1 - (ligand.cc ?? -1);
};

const keys: Readonly<Record<ResultOrder, (result: BatchResult) => number>> = {
  row: ({ row }) => row,
  fit: badness,
  resolution: ({ session }) => session?.fit?.resolution ?? session?.resolution ?? Infinity,
  ligand: doubt,
};

/** The difference of what has no value at all is none. */
const difference = (one: number, other: number): number => (one === other ? 0 : one - other);

async function* inOrderOfRows(id: string, parts: Parts): AsyncGenerator<readonly BatchResult[]> {
  for await (const rows of rowPages(parts.batches, id)) yield resultsOfRows(rows, parts);
}

/** All results of a batch, some at a time; sorted, they are all read first. */
export async function* allResults(
  id: string,
  order: ResultOrder,
  parts: Parts,
): AsyncGenerator<readonly BatchResult[]> {
  if (order === 'row') {
    yield* inOrderOfRows(id, parts);
    return;
  }
  const all: BatchResult[] = [];
  for await (const results of inOrderOfRows(id, parts)) all.push(...results);
  const key = keys[order];
  yield all.sort((one, other) => difference(key(one), key(other)) || one.row - other.row);
}
