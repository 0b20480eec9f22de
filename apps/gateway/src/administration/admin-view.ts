import type { KnownOrphan, LaunchState, RunCensus } from '@fleet/ports';

/** What an administrator sees of the whole service. */
export interface AdminView {
  readonly launches: LaunchState;
  /** Runs that have a place: they run, or stand in line on the backend. */
  readonly runs: number;
  readonly runsByClass: Readonly<Record<string, number>>;
  readonly runsByProposal: Readonly<Record<string, number>>;
  /** Runs that wait: for a place, for launches to be opened, or in line on the backend. */
  readonly waiting: number;
  readonly oldestWaitingSince?: string;
}

export interface OrphansView {
  readonly orphans: readonly KnownOrphan[];
}

export interface RemovalView {
  /** Names of runs that an executor removes now; `orphans` shows them until they are gone. */
  readonly removing: readonly string[];
}

/** The counts whose key has this kind, by what follows it. */
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
