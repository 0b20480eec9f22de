import type { LaunchState } from './launch-control.port';
import type { KnownOrphan } from './orphan-register.port';

/** What an administrator sees of the whole service; the gateway answers with it, `phx admin status` prints it. */
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
