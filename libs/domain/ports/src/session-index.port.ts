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

/** What sessions have in common; each of these has an index of its own. */
export interface SessionGroup {
  readonly status?: SessionStatus;
  readonly outcome?: SessionOutcome;
  readonly proposal?: string;
  readonly beamline?: string;
  readonly batch?: string;
  /** Not empty. */
  readonly submitter?: string;
}

/** Both ends belong to it. */
export interface ValueRange {
  readonly min?: number;
  readonly max?: number;
}

export interface SessionFilter extends SessionGroup {
  /** What title, sample or id contain anywhere, in any case; not empty. */
  readonly text?: string;
  /** What the reason of a session that ended without success contains, in any case; not empty. */
  readonly failure?: string;
  /** A component, in capital letters: requested, given in a dictionary that is not a library of monomers, or fitted. */
  readonly ligand?: string;
  /** Hermann-Mauguin symbol as gemmi writes it. */
  readonly spaceGroup?: string;
  /** Reduced cells, of which one is near to that of the session. */
  readonly cells?: { readonly anyOf: readonly UnitCell[]; readonly within: CellTolerance };
  /** Å. */
  readonly resolution?: ValueRange;
  /** Fractions. */
  readonly rFree?: ValueRange;
  /** Correlation of the result with its map. */
  readonly mapCc?: ValueRange;
  /** That was started. */
  readonly program?: string;
  /** Created at this time or later (milliseconds since the epoch). */
  readonly since?: number;
  /** Created before this time (milliseconds since the epoch). */
  readonly until?: number;
  /** Of one of these; absent: of any proposal and beamline. */
  readonly within?: readonly ({ readonly proposal: string } | { readonly beamline: string })[];
}

/** What a session may be called by. */
export interface SessionName {
  /** Its whole title. */
  readonly title: string;
  /** The beginning of its id; absent: only titles count. */
  readonly idBeginning?: string;
}

/** Which sessions there are: the read side, answered from rows. A session whose record cannot be read is left out. */
export interface SessionIndex {
  /**
   * A page of the sessions that match all of the filter. Sessions with the same value of the order are sorted by `createdAt` and id, the newest
   * first (descending: the oldest first).
   * @param cursor of the page before, with the same filter and order
   * @param order by default the newest first
   * @throws Fault `list.bad_cursor` (caller)
   */
  list(filter: SessionFilter, limit: number, cursor?: string, order?: SessionOrder): Promise<SessionPage>;
  /** How many sessions are in all of these groups; at least one is named. */
  count(group: SessionGroup): Promise<number>;
  /** Sessions that are called so, by title or by the beginning of their id, each once, the newest first. */
  find(name: SessionName, limit: number): Promise<readonly SessionRow[]>;
  /** Sessions that were submitted with this content (`contentDigests` of libs/domain/files), the newest first. */
  ofContent(digest: string, limit: number): Promise<readonly SessionRow[]>;
  /** At the place of each id its row; undefined where there is none, or it cannot be read. */
  rows(ids: readonly string[]): Promise<readonly (SessionRow | undefined)[]>;
}
