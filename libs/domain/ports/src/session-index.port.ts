import type { SessionPage, SessionRow, SessionStatus } from '@fleet/contracts';

export const SESSION_INDEX = Symbol('SessionIndex');

export interface SessionFilter {
  readonly status?: SessionStatus;
  readonly proposal?: string;
  readonly beamline?: string;
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
  /** Newest first, by `createdAt`, then by id. */
  list(filter: SessionFilter, limit: number, cursor?: string): Promise<SessionPage>;
  /** Sessions that are called so, by title or by the beginning of their id, each once, the newest first. */
  find(name: SessionName, limit: number): Promise<readonly SessionRow[]>;
  /** At the place of each id its row; undefined where there is none, or it cannot be read. */
  rows(ids: readonly string[]): Promise<readonly (SessionRow | undefined)[]>;
}
