import type { AdminView, LaunchState } from '@fleet/contracts/launches';
import type { RunCensus } from '@fleet/ports';

/** Counts with keys of this kind, by the rest of the key. */
const ofKind = (kind: string, taken: RunCensus['taken']): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(taken)
      .filter(([key]) => key.startsWith(`${kind}:`))
      .map(([key, count]) => [key.slice(kind.length + 1), count] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

export const toAdminView = (launches: LaunchState, { taken, waiting, oldestWaitingSince }: RunCensus): AdminView => ({
  launches,
  runs: taken.all ?? 0,
  runsByClass: ofKind('class', taken),
  runsByProposal: ofKind('proposal', taken),
  waiting,
  ...(oldestWaitingSince !== undefined && { oldestWaitingSince }),
});
