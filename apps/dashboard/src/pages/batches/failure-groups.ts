import type { BatchResult } from '@fleet/contracts/batches';
import { rowKindOf, type RowKind } from '../../format/row-kinds';

/** Rows that failed for the same reason. */
export interface FailureGroup {
  /** The sentence of the first of them. */
  readonly sentence: string;
  readonly kind: RowKind;
  readonly results: readonly BatchResult[];
}

const failures: ReadonlySet<RowKind> = new Set([
  'failed_science',
  'failed_infrastructure',
  'rejected',
  'unsatisfactory',
]);

const sentenceOf = ({ session, problems = [] }: BatchResult): string => {
  if (session !== undefined) return session.stopDetail ?? (session.stopReason ?? '').replaceAll('_', ' ');
  return problems.map(({ field, reason }) => `${field}: ${reason}`).join('; ');
};

/** Sentences that differ only in numbers and files count as the same. */
const likeness = (sentence: string): string =>
  sentence
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/(?:\/[^\s/:;,]+)+/g, '/…')
    .replaceAll(/\d+(?:\.\d+)?/g, '#');

/** The most frequent first. */
export const failureGroups = (results: readonly BatchResult[]): readonly FailureGroup[] => {
  const groups = new Map<string, BatchResult[]>();
  for (const result of results) {
    const kind = rowKindOf(result);
    if (!failures.has(kind)) continue;
    const like = `${kind} ${likeness(sentenceOf(result))}`;
    groups.set(like, [...(groups.get(like) ?? []), result]);
  }
  return [...groups.values()]
    .flatMap((same) => {
      const [first] = same;
      return first === undefined ? [] : [{ sentence: sentenceOf(first), kind: rowKindOf(first), results: same }];
    })
    .sort((one, other) => other.results.length - one.results.length);
};
