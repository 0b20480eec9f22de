import type { SessionOutcome, SessionPage, SessionRow, SessionStatus } from '@fleet/contracts';

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

export interface SessionFilter extends SessionGroup {
  /** What the title or the id begins with; not empty, and case counts. With it sessions are listed by title. */
  readonly text?: string;
  /** Created at this time or later (milliseconds since the epoch). */
  readonly since?: number;
  /** Created before this time (milliseconds since the epoch). */
  readonly until?: number;
  /** Of one of these; absent: of any proposal and beamline. It has no index: what is read and left out costs as much as what is shown. */
  readonly within?: readonly ({ readonly proposal: string } | { readonly beamline: string })[];
}

/**
 * `newest` and `oldest`: by `createdAt`, then by id. `title`: by title, byte for byte; with a text those whose id begins so come first, by
 * id.
 */
export const sessionOrders = ['newest', 'oldest', 'title'] as const;
export type SessionOrder = (typeof sessionOrders)[number];

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
   * A page of the sessions that match all of the filter. Its cost does not grow with the number of sessions where the filter has one part;
   * with several it is at most that of the part with the fewest sessions.
   * @param cursor of the page before, with the same filter and order
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
