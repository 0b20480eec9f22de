import type { MtzObservation } from '@fleet/contracts/sessions';

/** Labels of the most suitable array: Friedel mates merged or apart as requested, then of the requested kind, then the first. */
export const preferredLabels = (
  observations: readonly MtzObservation[],
  kind: MtzObservation['kind'],
  anomalous: boolean,
): string | undefined => {
  const rank = (one: MtzObservation): number => (one.anomalous === anomalous ? 0 : 2) + (one.kind === kind ? 0 : 1);
  return observations.toSorted((one, other) => rank(one) - rank(other))[0]?.labels;
};
