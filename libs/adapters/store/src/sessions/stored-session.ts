import type { Insertable, Selectable } from 'kysely';
import type { RowProgress, Session, SessionHead, SessionRow } from '@fleet/contracts';
import { composedRow, headOf, labelsOf, outcomeOf } from '@fleet/session-report';
import type { StoredSession } from './session-change';
import { searchedColumns } from './searched-columns';
import type { SessionsTable } from './session-tables';

/** What a change writes again. */
type ChangedColumns = Omit<
  Insertable<SessionsTable>,
  'id' | 'content' | 'created_at' | 'folder' | 'wake_at' | 'due_at'
>;

/** Columns of a session, but for what is owed to it. */
export const columnsOf = ({ session, progress }: StoredSession): ChangedColumns => {
  const { version, wakeUps, status, stage, cycle, attempt, updatedAt, request, guidance, stop } = session;
  const { title, proposal, beamline, submitter, batch } = labelsOf({ request });
  const outcome = outcomeOf({ status, stop, fit: progress.fit });
  const updated = new Date(updatedAt);
  return {
    version,
    wake_ups: wakeUps,
    status,
    stage,
    cycle,
    attempt,
    outcome: outcome ?? null,
    title,
    proposal,
    beamline,
    submitter,
    batch: batch ?? null,
    updated_at: updated,
    ended_at: stop === undefined ? null : updated,
    request: JSON.stringify(request),
    guidance: guidance === undefined ? null : JSON.stringify(guidance),
    stop: stop === undefined ? null : JSON.stringify(stop),
    progress: JSON.stringify(progress),
    ...searchedColumns({ session, progress }, outcome),
  };
};

/** A session as it is stored, without its cycles. */
export const storedSession = (row: Selectable<SessionsTable>): StoredSession => {
  const { id, status, stage, cycle, attempt, version, wake_ups: wakeUps, folder, request, guidance, stop } = row;
  const times = { createdAt: row.created_at.toISOString(), updatedAt: row.updated_at.toISOString() };
  const place = { id, status, stage, cycle, attempt, version, wakeUps, folder, ...times };
  const asked: Pick<Session, 'request' | 'guidance' | 'stop'> = {
    request,
    ...(guidance !== null && { guidance }),
    ...(stop !== null && { stop }),
  };
  const progress: RowProgress = row.progress;
  return { session: { ...place, ...asked }, progress };
};

export const headOfRow = (row: Selectable<SessionsTable>): SessionHead => headOf(storedSession(row).session);

/** As lists show it. */
export const listedRow = (row: Selectable<SessionsTable>): SessionRow => {
  const { session, progress } = storedSession(row);
  return composedRow(headOf(session), labelsOf(session), session.stop, progress);
};
