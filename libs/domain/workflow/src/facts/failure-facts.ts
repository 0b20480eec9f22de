import { isFinding } from '@fleet/files';
import type { RuleBook, FactSheet } from '@fleet/knowledge-model';
import { succeeded, type AnalysedCycle } from '../workflow-input';

/** Only the latest cycles count for detecting a loop. */
const recent = 10;

const signature = ({ decision, result }: AnalysedCycle): string =>
  `${decision.program} ${result.errorLines[0] ?? result.summary}`;

/**
 * `repeated_failures`: count of the most frequent failure (program and first error line) in the last ten cycles. A search without a solution
 * is not a failure.
 */
export const addFailureFacts = (
  sheet: FactSheet,
  cycles: readonly AnalysedCycle[],
  { placementEvidence, errors }: RuleBook,
): void => {
  const counts = new Map<string, number>();
  const isFailure = (one: AnalysedCycle): boolean => !succeeded(one) && !isFinding(one, placementEvidence, errors);
  for (const cycle of cycles.slice(-recent).filter(isFailure)) {
    const name = signature(cycle);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  sheet.repeated_failures = Math.max(0, ...counts.values());
};
