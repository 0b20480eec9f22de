import type { BatchResult } from '@fleet/contracts/batches';
import { stateOf, type StateKind } from './state-of';

/** Display order of row outcomes: done, failed, in progress, pending. */
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

/** The outcome of a row: of its session, if it has one. A state of a newer gateway counts as unknown. */
export const rowKindOf = ({ session, state }: Pick<BatchResult, 'session' | 'state'>): RowKind => {
  const kind = session === undefined ? kindOfState[state] : stateOf(session);
  return rowKinds.find((known) => known === kind) ?? 'unknown';
};

/** The rows of each kind that occurs, in display order. */
export const byKind = (
  results: readonly BatchResult[],
): readonly { readonly kind: RowKind; readonly results: readonly BatchResult[] }[] => {
  const kinds = results.map(rowKindOf);
  return rowKinds
    .map((kind) => ({ kind, results: results.filter((_, at) => kinds[at] === kind) }))
    .filter((group) => group.results.length > 0);
};
