import type { BatchResult } from '@fleet/contracts/batches';
import { byOrder } from '@fleet/session-report';
import { rowKindOf, rowKinds } from '../../format/row-kinds';

/** Sort orders of a hit list. */
export const hitOrders = ['fit', 'ligand', 'resolution', 'row', 'title', 'outcome'] as const;
export type HitOrder = (typeof hitOrders)[number];

type Comparison = (one: BatchResult, other: BatchResult) => number;

const titles = new Intl.Collator('en', { numeric: true });
const byTitle: Comparison = (one, other) =>
  titles.compare(one.session?.title ?? '\uffff', other.session?.title ?? '\uffff');
const byOutcome: Comparison = (one, other) => rowKinds.indexOf(rowKindOf(one)) - rowKinds.indexOf(rowKindOf(other));

const comparisonOf = (order: HitOrder): Comparison => {
  if (order !== 'title' && order !== 'outcome') return byOrder(order);
  const compare = order === 'title' ? byTitle : byOutcome;
  return (one, other) => compare(one, other) || one.row - other.row;
};

/** The best first. */
export const sortedHits = (results: readonly BatchResult[], order: HitOrder): readonly BatchResult[] =>
  [...results].sort(comparisonOf(order));
