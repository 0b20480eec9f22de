import type { Selectable } from 'kysely';
import type { RowProgress, Session, SessionHead, SessionRow } from '@fleet/contracts/sessions';
import { usedSessions } from '@fleet/files';
import { composedRow, headOf, labelsOf, outcomeOf } from '@fleet/session-report';
import type { StoredSession } from './session-change';
import { searchedColumnsOfMove, searchedColumnsOfRequest } from './searched-columns';
import type { SessionsTable } from './session-tables';

/** Columns that derive from the request. */
const columnsOfRequest = (session: StoredSession['session']) => {
  const { request } = session;
  const { title, proposal, beamline, submitter, batch } = labelsOf({ request });
  return {
    ...{ title, proposal, beamline, submitter },
    batch: batch ?? null,
    request: JSON.stringify(request),
    uses: usedSessions(session),
    ...searchedColumnsOfRequest(session),
  };
};

/** Columns that a move changes. */
const columnsOfMove = ({ session, progress }: StoredSession) => {
  const { version, wakeUps, status, stage, cycle, attempt, updatedAt, stop } = session;
  const outcome = outcomeOf({ status, stop, fit: progress.fit });
  const updated = new Date(updatedAt);
  return {
    ...{ version, wake_ups: wakeUps, status, stage, cycle, attempt },
    outcome: outcome ?? null,
    updated_at: updated,
    ended_at: stop === undefined ? null : updated,
    stop: stop === undefined ? null : JSON.stringify(stop),
    progress: JSON.stringify(progress),
    expiry_told_at: null,
    ...searchedColumnsOfMove({ session, progress }, outcome),
  };
};

/** Columns that a change overwrites. Those of an unchanged request and of unchanged guidance are absent. */
export type ChangedColumns = ReturnType<typeof columnsOfMove> &
  Partial<ReturnType<typeof columnsOfRequest>> & { readonly guidance?: string };

export const columnsOf = (moved: StoredSession, before: StoredSession | undefined): ChangedColumns => {
  const { request, guidance } = moved.session;
  return {
    ...columnsOfMove(moved),
    ...(request !== before?.session.request && columnsOfRequest(moved.session)),
    ...(guidance !== before?.session.guidance && { guidance: JSON.stringify(guidance) }),
  };
};

/** Columns that `headOfRow` reads. */
export const headColumns = [
  ...(['id', 'version', 'wake_ups', 'status', 'stage', 'cycle', 'attempt', 'created_at', 'updated_at'] as const),
  ...(['folder', 'guidance'] as const),
] as const;

export type HeadRow = Pick<Selectable<SessionsTable>, (typeof headColumns)[number]>;

/** Columns that `storedSession` reads. */
export const storedColumns = [...headColumns, 'request', 'stop', 'progress'] as const;

/** The columns that a head and a session share. */
const sharedColumnsOf = (row: HeadRow): Omit<SessionHead, 'advised'> => {
  const { id, status, stage, cycle, attempt, version, wake_ups: wakeUps, folder } = row;
  const times = { createdAt: row.created_at.toISOString(), updatedAt: row.updated_at.toISOString() };
  return { id, status, stage, cycle, attempt, version, wakeUps, folder, ...times };
};

type StoredRow = Pick<Selectable<SessionsTable>, (typeof storedColumns)[number]>;

/** A session as stored, without its cycles. */
export const storedSession = (row: StoredRow): StoredSession => {
  const { request, guidance, stop } = row;
  const inputs: Pick<Session, 'request' | 'guidance' | 'stop'> = {
    request,
    ...(guidance !== null && { guidance }),
    ...(stop !== null && { stop }),
  };
  const progress: RowProgress = row.progress;
  return { session: { ...sharedColumnsOf(row), ...inputs }, progress };
};

export const headOfRow = (row: HeadRow): SessionHead =>
  headOf({ ...sharedColumnsOf(row), ...(row.guidance !== null && { guidance: row.guidance }) });

/** A session as displayed in lists. */
export const listedRow = (row: StoredRow): SessionRow => {
  const { session, progress } = storedSession(row);
  return composedRow(headOf(session), labelsOf(session), session.stop, progress);
};
