import type { SessionPage, SessionRow } from '@fleet/contracts/sessions';
import { timeCursor, type SessionFilter, type SessionIndex } from '@fleet/ports';
import { composedRow, headOf, labelsOf } from '@fleet/session-report';
import { copy, type MemoryState, type Stored } from './memory-state';

const unsupported = (): Promise<never> => Promise.reject(new TypeError('a fleet does not ask this'));

/** The queries of a fleet: sessions of a status on one page, sessions with the same content, and rows by id. */
export class MemorySessionIndex implements SessionIndex {
  readonly count = unsupported;
  readonly find = unsupported;

  constructor(private readonly state: MemoryState) {}

  list({ status }: Pick<SessionFilter, 'status'>, limit: number): Promise<SessionPage> {
    const rows = [...this.state.sessions.values()].map(rowOf);
    const sessions = rows.filter((row) => status === undefined || row.status === status);
    return sessions.length > limit
      ? Promise.reject(new RangeError('sessions in memory have one page'))
      : Promise.resolve({ sessions });
  }

  ofContent(digest: string, limit: number): Promise<readonly SessionRow[]> {
    const found = [...this.state.sessions.values()].filter(({ content }) => content.includes(digest)).map(rowOf);
    const newestFirst = found.sort((one, other) => (timeCursor(one) < timeCursor(other) ? 1 : -1));
    return Promise.resolve(newestFirst.slice(0, limit));
  }

  rows(ids: readonly string[]): Promise<readonly (SessionRow | undefined)[]> {
    const found = ids.map((id) => this.state.sessions.get(id));
    return Promise.resolve(found.map((stored) => (stored === undefined ? undefined : rowOf(stored))));
  }
}

const rowOf = ({ session, progress }: Stored): SessionRow =>
  copy(composedRow(headOf(session), labelsOf(session), session.stop, progress));
