import type { BatchResult } from '@fleet/contracts';
import { rowKindOf, rowKinds } from './row-kinds';

/** By what a hit list can be sorted. */
export const hitOrders = ['fit', 'ligand', 'resolution', 'row', 'title', 'outcome'] as const;
export type HitOrder = (typeof hitOrders)[number];

/** R-factors are better the smaller they are, correlations the larger; what has none comes last. As the API sorts. */
const badness = ({ session }: BatchResult): number => {
  const fit = session?.fit;
  if (fit === undefined) return Infinity;
  return fit.metric.startsWith('r_') ? fit.value : 1 - fit.value;
};

/** One that the model holds comes before any that it does not; then the better correlation. As the API sorts. */
const doubt = ({ session }: BatchResult): number => {
  const ligand = session?.ligand;
  return ligand === undefined ? Infinity : (ligand.inModel ? 0 : 2) + 1 - (ligand.cc ?? -1);
};

export const resolutionOf = ({ session }: BatchResult): number | undefined =>
  session?.fit?.resolution ?? session?.resolution;

const byNumber =
  (key: (result: BatchResult) => number) =>
  (one: BatchResult, other: BatchResult): number => {
    const [a, b] = [key(one), key(other)];
    return a === b ? one.row - other.row : a - b;
  };
const titles = new Intl.Collator('en', { numeric: true });

const orders: Readonly<Record<HitOrder, (one: BatchResult, other: BatchResult) => number>> = {
  fit: byNumber(badness),
  ligand: byNumber(doubt),
  resolution: byNumber((result) => resolutionOf(result) ?? Infinity),
  row: byNumber(({ row }) => row),
  title: (one, other) =>
    titles.compare(one.session?.title ?? '\uffff', other.session?.title ?? '\uffff') || one.row - other.row,
  outcome: byNumber((result) => rowKinds.indexOf(rowKindOf(result))),
};

/** The best first. */
export const sortedHits = (results: readonly BatchResult[], order: HitOrder): readonly BatchResult[] =>
  [...results].sort(orders[order]);
