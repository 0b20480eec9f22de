import type { CycleRecord, Session, SessionHead, SessionStatus, Stage } from '@fleet/contracts';
import type { NewSession, SessionPage } from '@fleet/ports';
import { beginningOf } from './beginning';

/** Fields of a session's hash that make up its head, in the order in which `headFrom` takes them. */
export const headFields = [
  'status',
  'stage',
  'cycle',
  'attempt',
  'version',
  'wakeUps',
  'folder',
  'createdAt',
  'updatedAt',
] as const;

export const rowFields = [...headFields, 'title', 'proposal', 'beamline'] as const;

/** Values of `headFields`; undefined when there is no such session. */
export const headFrom = (id: string, values: readonly (string | null)[]): SessionHead | undefined => {
  const [status, stage, cycle, attempt, version, wakeUps, folder, createdAt, updatedAt] = values;
  if (typeof status !== 'string') return undefined;
  return {
    id,
    status: status as SessionStatus,
    stage: stage as Stage,
    cycle: Number(cycle),
    attempt: Number(attempt),
    version: Number(version),
    wakeUps: Number(wakeUps),
    folder: folder ?? '',
    createdAt: createdAt ?? '',
    updatedAt: updatedAt ?? '',
  };
};

export const rowFrom = (id: string, values: readonly (string | null)[]): SessionPage['sessions'] => {
  const head = headFrom(id, values);
  const [title, proposal, beamline] = values.slice(headFields.length);
  return head === undefined
    ? []
    : [{ ...head, title: title ?? '', proposal: proposal ?? '', beamline: beamline ?? '' }];
};

/** Field of a cycle's record in its session's hash. */
export const cycleField = (cycle: number): string => `c:${String(cycle)}`;

/** A whole session from its hash. */
export const sessionFrom = (id: string, fields: Readonly<Record<string, string>>): Session | undefined => {
  const head = headFrom(
    id,
    headFields.map((field) => fields[field] ?? null),
  );
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
export const fieldsOf = (
  made: NewSession,
): Readonly<Record<string, string>> & { readonly status: SessionStatus; readonly listed: string } => {
  const { folder, request, createdAt } = made;
  const { status, stage, cycle, attempt, cycles, stop } = beginningOf(made);
  const fields = {
    status,
    stage,
    cycle: String(cycle),
    attempt: String(attempt),
    version: '1',
    wakeUps: '0',
    folder,
    createdAt,
    updatedAt: createdAt,
    listed: listedName(made),
    title: request.title,
    proposal: request.proposal,
    beamline: request.beamline,
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
