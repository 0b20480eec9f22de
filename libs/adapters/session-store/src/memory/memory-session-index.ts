import type { SessionPage, SessionRow } from '@fleet/contracts';
import type { SessionFilter, SessionIndex, SessionName } from '@fleet/ports';
import { composedRow, headOf, labelsOf } from '@fleet/session-report';
import { listedName } from '../session-fields';
import { copy, type MemoryState, type Stored } from './memory-state';

export class MemorySessionIndex implements SessionIndex {
  constructor(private readonly state: MemoryState) {}

  list(filter: SessionFilter, limit: number, cursor?: string): Promise<SessionPage> {
    const matching = this.newestFirst()
      .filter(({ session }) => filter.status === undefined || filter.status === session.status)
      .filter(({ session: { request } }) => filter.proposal === undefined || filter.proposal === request.proposal)
      .filter(({ session: { request } }) => filter.beamline === undefined || filter.beamline === request.beamline)
      .filter(({ session }) => cursor === undefined || listedName(session) < cursor);
    const sessions = matching.slice(0, limit).map(storedRow);
    const last = sessions.at(-1);
    return Promise.resolve(
      matching.length > limit && last !== undefined ? { sessions, nextCursor: listedName(last) } : { sessions },
    );
  }

  find({ title, idBeginning }: SessionName, limit: number): Promise<readonly SessionRow[]> {
    const found = this.newestFirst().filter(
      ({ session: { id, request } }) =>
        request.title === title || (idBeginning !== undefined && id.startsWith(idBeginning)),
    );
    return Promise.resolve(found.slice(0, limit).map(storedRow));
  }

  rows(ids: readonly string[]): Promise<readonly (SessionRow | undefined)[]> {
    const found = ids.map((id) => this.state.sessions.get(id));
    return Promise.resolve(found.map((stored) => (stored === undefined ? undefined : storedRow(stored))));
  }

  private newestFirst(): readonly Stored[] {
    return [...this.state.sessions.values()].sort((a, b) => (listedName(a.session) < listedName(b.session) ? 1 : -1));
  }
}

const storedRow = ({ session, progress }: Stored): SessionRow =>
  copy(composedRow(headOf(session), labelsOf(session), session.stop?.reason, progress));
