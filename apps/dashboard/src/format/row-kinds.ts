import type { BatchResult } from '@fleet/contracts/batches';
import { stateOf, type StateKind } from './state-of';

/** In which order a page tells the outcome of rows: what is done first, what is wrong, what happens, what is to come. */
export const rowKinds = [
  'solved',
  'goal_reached',
  'unfinished',
  'unsatisfactory',
  'unknown',
  'failed_science',
  'failed_infrastructure',
  'rejected',
  'running',
  'starting',
  'cancelling',
  'waiting',
  'checked',
  'to_come',
  'duplicate',
  'cancelled',
] as const satisfies readonly StateKind[];
export type RowKind = (typeof rowKinds)[number];

const kindOfState = {
  waiting: 'to_come',
  checked: 'checked',
  accepted: 'starting',
  duplicate: 'duplicate',
  rejected: 'rejected',
  cancelled: 'cancelled',
} as const;

/** The outcome of a row: of its session, where it has one. What a newer gateway has added is one that nothing is known about. */
export const rowKindOf = ({ session, state }: Pick<BatchResult, 'session' | 'state'>): RowKind => {
  const kind = session === undefined ? kindOfState[state] : stateOf(session);
  return rowKinds.find((known) => known === kind) ?? 'unknown';
};

/** The rows of each kind that there is, in the order of the kinds. */
export const byKind = (
  results: readonly BatchResult[],
): readonly { readonly kind: RowKind; readonly results: readonly BatchResult[] }[] => {
  const kinds = results.map(rowKindOf);
  return rowKinds
    .map((kind) => ({ kind, results: results.filter((_, at) => kinds[at] === kind) }))
    .filter((group) => group.results.length > 0);
};
