import type {
  SessionOrder,
  SessionOutcome,
  SessionPage,
  SessionRow,
  SessionStatus,
  UnitCell,
} from '@fleet/contracts/sessions';
import type { CellTolerance } from '@fleet/symmetry';

export const SESSION_INDEX = Symbol('SessionIndex');

/** Common properties of sessions; each has its own index. */
export interface SessionGroup {
  readonly status?: SessionStatus;
  readonly outcome?: SessionOutcome;
  readonly proposal?: string;
  readonly beamline?: string;
  readonly batch?: string;
  /** Not empty. */
  readonly submitter?: string;
}

/** Both ends are included. */
export interface ValueRange {
  readonly min?: number;
  readonly max?: number;
}

export interface SessionFilter extends SessionGroup {
  /** Text in title, sample or id, case-insensitive; not empty. */
  readonly text?: string;
  /** Text in the reason of a session that ended without success, case-insensitive; not empty. */
  readonly failure?: string;
  /** A component, in capital letters: requested, given in a dictionary that is not a monomer library, or fitted. */
  readonly ligand?: string;
  /** Hermann-Mauguin symbol as gemmi writes it. */
  readonly spaceGroup?: string;
  /** Reduced cells; the session's cell must be near one of them. */
  readonly cells?: { readonly anyOf: readonly UnitCell[]; readonly within: CellTolerance };
  /** Å. */
  readonly resolution?: ValueRange;
  /** Fractions. */
  readonly rFree?: ValueRange;
  /** Correlation of the result with its map. */
  readonly mapCc?: ValueRange;
  /** A program that was started. */
  readonly program?: string;
  /** Created at this time or later (milliseconds since the epoch). */
  readonly since?: number;
  /** Created before this time (milliseconds since the epoch). */
  readonly until?: number;
  /** One of these must match; absent: any proposal and beamline. */
  readonly within?: readonly ({ readonly proposal: string } | { readonly beamline: string })[];
}

/** A name or id by which a user refers to a session. */
export interface SessionName {
  /** Its whole title. */
  readonly title: string;
  /** The beginning of its id; absent: only titles count. */
  readonly idBeginning?: string;
}

/** The read side of the sessions, answered from rows. A session whose record cannot be read is omitted. */
export interface SessionIndex {
  /**
   * A page of the sessions that match the whole filter. Sessions with the same sort value are sorted by `createdAt` and id, the newest first
   * (descending: the oldest first).
   * @param cursor of the page before, with the same filter and order
   * @param order by default the newest first
   * @throws Fault `list.bad_cursor` (caller)
   */
  list(filter: SessionFilter, limit: number, cursor?: string, order?: SessionOrder): Promise<SessionPage>;
  /** The number of sessions that are in all of these groups; at least one is given. */
  count(group: SessionGroup): Promise<number>;
  /** Sessions with this title or beginning of their id, each once, the newest first. */
  find(name: SessionName, limit: number): Promise<readonly SessionRow[]>;
  /** Sessions that were submitted with this content (`contentDigests` of libs/domain/files), the newest first. */
  ofContent(digest: string, limit: number): Promise<readonly SessionRow[]>;
  /** The row of each id, in the same order; undefined if it does not exist or cannot be read. */
  rows(ids: readonly string[]): Promise<readonly (SessionRow | undefined)[]>;
}
