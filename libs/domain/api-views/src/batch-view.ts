import type { BatchPriority, BatchResult, BatchRow, BatchState, BatchView } from '@fleet/contracts/batches';
import type { ExpectedWait, Priority } from '@fleet/contracts/launches';
import { rowsToDo, standsStill } from '@fleet/contracts/retention';
import {
  isEnded,
  sessionStatuses,
  type SessionOutcome,
  type SessionRow,
  type SessionStatus,
} from '@fleet/contracts/sessions';
import type { StoredRow } from '@fleet/ports';
import { counted } from '@fleet/session-report';
import { sessionPath } from './session-view';

type SessionCounts = Readonly<Record<SessionStatus, number>>;

export const batchPath = (id: string): string => `/v1/batches/${id}`;

const activeOf = (sessions: SessionCounts): number =>
  sessionStatuses.filter((status) => !isEnded(status)).reduce((sum, status) => sum + sessions[status], 0);

const rowsSentence = (state: BatchState): string => {
  const { rows, states, batch } = state;
  const { waiting, rejected, checked, duplicate } = states;
  if (waiting > 0) return `${String(rows - waiting)} of ${counted(rows, 'row')} are checked`;
  const still = standsStill(state);
  if (still === 'incomplete') return `${counted(rows, 'row')} so far; none is started before the manifest is complete`;
  const wrong = rejected === 0 ? '' : `, ${String(rejected)} rejected`;
  const known = duplicate === 0 ? '' : `, ${counted(duplicate, 'duplicate')}`;
  if (still === 'refused')
    return `none of ${counted(rows, 'row')} is started, for ${String(rejected)} of them cannot be`;
  if (batch.start === 'never')
    return `${String(checked)} of ${counted(rows, 'row')} are valid${wrong}${known}; none is started`;
  return `${counted(rows, 'row')}${wrong}${known}`;
};

const stateSentence = (state: BatchState, sessions: SessionCounts): string => {
  const active = activeOf(sessions);
  const ended = sessionStatuses.reduce((sum, status) => sum + sessions[status], 0) - active;
  const status = state.status === 'open' ? '' : `${state.status}; `;
  const running = active + ended === 0 ? '' : `; ${counted(active, 'session')} under way, ${String(ended)} ended`;
  return `${status}${rowsSentence(state)}${running}`;
};

/** A batch as the API shows it. */
export const toBatchView = (
  state: BatchState,
  sessions: SessionCounts,
  outcomes: Readonly<Record<SessionOutcome, number>>,
): BatchView => {
  const { batch, status, complete, rows, states, priority } = state;
  const self = batchPath(batch.id);
  return {
    ...batch,
    ...(priority !== undefined && { priority }),
    status,
    complete,
    rows,
    states,
    sessions,
    outcomes,
    done: rowsToDo(state) === 0 && activeOf(sessions) === 0,
    state: stateSentence(state, sessions),
    links: { self, rows: `${self}/rows`, results: `${self}/results`, csv: `${self}/results.csv` },
  };
};

/** The rows that a new priority affects: a row that is already a session keeps its own. */
export const toBatchPriority = ({ batch, states }: BatchState, priority: Priority): BatchPriority => {
  const rows = batch.start === 'never' ? 0 : states.waiting + states.checked;
  const sessions = states.accepted;
  const keep =
    sessions === 1
      ? '1 row is a session already and keeps its own'
      : `${String(sessions)} rows are sessions already and keep theirs`;
  const message = `priority ${priority} for rows that start from now on: ${String(rows)} so far; ${keep}`;
  return { priority, rows, sessions, message };
};

/**
 * A row as the API shows it.
 * @param wait for a row of a dry run
 */
export const toBatchRow = (
  { row, line, state, run, session, earlier, problems, unused, first }: StoredRow,
  wait?: ExpectedWait,
): BatchRow => ({
  row,
  line,
  state,
  run,
  ...(session !== undefined && { session }),
  ...(earlier !== undefined && { earlier }),
  ...(problems !== undefined && { problems }),
  ...(unused !== undefined && { unused }),
  ...(first !== undefined && { first }),
  ...(wait !== undefined && { wait }),
});

/** The session whose results are those of a row. */
export const sessionOfRow = ({ state, session, earlier }: StoredRow): string | undefined =>
  state === 'duplicate' ? earlier?.session : session;

/** A row with the result of its session; without one if there is no session, or it cannot be read. */
export const toBatchResult = ({ row, state, problems }: StoredRow, session: SessionRow | undefined): BatchResult => ({
  row,
  state,
  ...(problems !== undefined && { problems }),
  ...(session !== undefined && { session, href: sessionPath(session.id) }),
});
