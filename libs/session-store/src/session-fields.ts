import type { CycleRecord, Session, SessionHead, SessionStatus, Stage } from '@fleet/contracts';
import type { NewSession, SessionPage } from '@fleet/ports';
import { beginningOf } from './beginning';

/** Fields of a session's hash from which its head and its row in a list are made, in the order in which `headFrom` takes them. */
export const headFields = ['state', 'row'] as const;

/** What never changes of a session and is shown in lists. */
type FixedPart = Pick<Row, 'folder' | 'createdAt' | 'title' | 'proposal' | 'beamline'>;
type Row = SessionPage['sessions'][number];

/** Values of `headFields`; undefined when there is no such session. */
export const headFrom = (id: string, [state, row]: readonly (string | null)[]): SessionHead | undefined => {
  if (typeof state !== 'string' || typeof row !== 'string') return undefined;
  const { folder, createdAt } = JSON.parse(row) as FixedPart;
  return { ...movingPart(id, state), folder, createdAt };
};

/** As `headFrom`, with what a list shows besides. */
export const rowFrom = (id: string, [state, row]: readonly (string | null)[]): Row | undefined => {
  if (typeof state !== 'string' || typeof row !== 'string') return undefined;
  return { ...movingPart(id, state), ...(JSON.parse(row) as FixedPart) };
};

const movingPart = (id: string, state: string): Omit<SessionHead, 'folder' | 'createdAt'> => {
  const [status, stage, cycle, attempt, version, wakeUps, updatedAt = ''] = state.split(' ');
  return {
    id,
    status: status as SessionStatus,
    stage: stage as Stage,
    cycle: Number(cycle),
    attempt: Number(attempt),
    version: Number(version),
    wakeUps: Number(wakeUps),
    updatedAt,
  };
};

/** Field of a cycle's record in its session's hash. */
export const cycleField = (cycle: number): string => `c:${String(cycle)}`;

/** A whole session from its hash. */
export const sessionFrom = (id: string, fields: Readonly<Record<string, string>>): Session | undefined => {
  const head = headFrom(id, [fields.state ?? null, fields.row ?? null]);
  if (head === undefined) return undefined;
  const records = Object.entries(fields)
    .filter(([field]) => field.startsWith('c:'))
    .map(([, text]) => JSON.parse(text) as CycleRecord);
  return {
    ...head,
    request: JSON.parse(fields.request ?? '{}') as Session['request'],
    cycles: records.sort((a, b) => a.cycle - b.cycle),
    ...(fields.stop === undefined ? {} : { stop: JSON.parse(fields.stop) as NonNullable<Session['stop']> }),
  };
};

/** The hash of a new session. */
export const fieldsOf = (made: NewSession): Readonly<Record<string, string>> & { readonly listed: string } => {
  const { folder, request, createdAt } = made;
  const { status, stage, cycle, attempt, cycles, stop } = beginningOf(made);
  const { title, proposal, beamline } = request;
  const fixed: FixedPart = { folder, createdAt, title, proposal, beamline };
  const fields = {
    state: [status, stage, cycle, attempt, 1, 0, createdAt].join(' '),
    row: JSON.stringify(fixed),
    listed: listedName(made),
    request: JSON.stringify(request),
    ...Object.fromEntries(cycles.map((record) => [cycleField(record.cycle), JSON.stringify(record)])),
  };
  return stop === undefined ? fields : { ...fields, stop: JSON.stringify(stop) };
};

/**
 * What stands for a session in a list: its time of creation and its id, so that the order of the texts is the order of time.
 * An id alone does not sort: one that was made from an idempotency key says nothing of time.
 */
export const listedName = ({ id, createdAt }: Pick<NewSession, 'id' | 'createdAt'>): string =>
  `${String(Date.parse(createdAt)).padStart(15, '0')}:${id}`;

/** The id in a listed name. */
export const idOfListed = (name: string): string => name.slice(name.indexOf(':') + 1);
