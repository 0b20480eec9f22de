import {
  Fault,
  sessionSchema,
  withDefaults,
  type CycleRecord,
  type Guidance,
  type RowProgress,
  type Session,
  type SessionHead,
  type SessionStatus,
  type SessionStop,
  type Stage,
  type SessionRow,
} from '@fleet/contracts';
import { beginningOf, type NewSession } from '@fleet/ports';
import {
  composedRow,
  labelsOf,
  progressOf,
  waitingDecisionOf,
  type KeptStop,
  type RowLabels,
} from '@fleet/session-report';
import { packedRecord, recordText } from './packing/cycle-page';
import { pack, unpack } from './packing/pack';

/** Fields of a session's hash from which its head is made, in the order in which `headFrom` takes them. */
export const headFields = ['state', 'row', 'advised'] as const;
/** Those from which its row in a list is made, in the order in which `rowFrom` takes them. */
export const rowFields = [...headFields, 'stop', 'progress'] as const;

/** What never changes of a session and is shown in lists. */
type FixedPart = Pick<SessionHead, 'folder' | 'createdAt'> & RowLabels;

/**
 * Values of `headFields`; undefined when there is no such session. A status or a stage that this release does not know is given as it is.
 * @throws Fault `session.damaged` (bug)
 */
export const headFrom = (id: string, [state, row, advised]: readonly (string | null)[]): SessionHead | undefined => {
  if (!exists(state, row)) return undefined;
  const { folder, createdAt } = fixedPart(id, row ?? '');
  return { ...movingPart(id, state ?? ''), folder, createdAt, ...advisedPart(advised) };
};

/** As `headFrom`, with what a list shows besides. */
export const rowFrom = (
  id: string,
  [state, row, advised, stop, progress]: readonly (string | null)[],
): SessionRow | undefined => {
  if (!exists(state, row)) return undefined;
  const ended = typeof stop === 'string' ? (parsed(id, 'stop', stop) as KeptStop) : undefined;
  const { folder, createdAt, ...labels } = fixedPart(id, row ?? '');
  const head = { ...movingPart(id, state ?? ''), folder, createdAt, ...advisedPart(advised) };
  return composedRow(head, labels, ended, progressFrom(id, progress));
};

/** What a row says of the work. @throws Fault `session.damaged` (bug) */
export const progressFrom = (id: string, progress: string | null | undefined): RowProgress =>
  parsed(id, 'progress', progress ?? '{}');

const exists = (...values: readonly (string | null | undefined)[]): boolean =>
  values.some((value) => typeof value === 'string');

const fixedPart = (id: string, text: string): FixedPart => {
  const { folder, createdAt, ...labels } = parsed(id, 'row', text) as Partial<FixedPart>;
  if (folder === undefined || createdAt === undefined) throw damaged(id, 'row says no folder or no time');
  return { folder, createdAt, title: '', proposal: '', beamline: '', submitter: '', ...labels };
};

/** The field `state` that such a head was made from, up to what a newer release may have put behind it. */
export const stateOf = ({ status, stage, cycle, attempt, version, wakeUps, updatedAt }: SessionHead): string =>
  [status, stage, cycle, attempt, version, wakeUps, updatedAt].join(' ');

/** What a newer release may have put after the seventh word is left alone. */
const stateForm = /^(\S+) (\S+) (\d+) (\d+) (\d+) (\d+) (\S+)/;

const movingPart = (id: string, state: string): Omit<SessionHead, 'folder' | 'createdAt'> => {
  const [, status, stage, cycle, attempt, version, wakeUps, updatedAt = ''] = stateForm.exec(state) ?? [];
  if (status === undefined) throw damaged(id, `state is "${state}"`);
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

/** The revision of the guidance, where it is not the first. */
const advisedPart = (advised: string | null | undefined): Pick<SessionHead, 'advised'> =>
  typeof advised === 'string' ? { advised: Number(advised) } : {};

/** An object as JSON. */
const parsed = (id: string, field: string, text: string): object => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw damaged(id, `${field} is not JSON`, cause);
  }
  throw damaged(id, `${field} holds no object`);
};

const damaged = (id: string, what: string, cause?: unknown): Fault =>
  new Fault('session.damaged', 'bug', `the record of session ${id} is damaged: ${what}`, { cause });

/** Field of a cycle in its session's hash. */
export const cycleField = (cycle: number): string => `c:${String(cycle)}`;
/** Fields of cycles, with those that were taken out (`x:`): their record counts no more, what happened in them did happen. */
const cycleForm = /^([cx]):(\d+)$/;
/** What stands for a session in the indexes. */
export const listedField = 'listed';
/** Id of the last event that lies in a cycle's page and no more in the stream. */
export const pagedField = 'paged';

/** Where an archived session has its files, as JSON (`ArchiveProof`); of it nothing else is stored but its row. */
export const archivedField = 'archived';

/** A session's hash as Redis gives it. */
export type StoredFields = Readonly<Record<string, Buffer>>;

/** What is stored of the cycles, in their order, those that were taken out too. */
export const storedCycles = (fields: StoredFields): readonly Buffer[] =>
  Object.entries(fields)
    .flatMap(([field, stored]) => {
      const [, , cycle] = cycleForm.exec(field) ?? [];
      return cycle === undefined ? [] : [{ cycle: Number(cycle), stored }];
    })
    .sort((one, other) => one.cycle - other.cycle)
    .map(({ stored }) => stored);

/**
 * A whole session from its hash; undefined where there is none, or it is archived.
 * @throws Fault `session.damaged` (bug)
 */
export const sessionFrom = (id: string, fields: StoredFields): Session | undefined => {
  const head = headFrom(id, [fields.state?.toString() ?? null, fields.row?.toString() ?? null]);
  if (head === undefined || fields[archivedField] !== undefined) return undefined;
  const records = Object.entries(fields)
    .filter(([field]) => field.startsWith('c:'))
    .map(
      ([field, stored]) =>
        parsed(
          id,
          field,
          readable(id, field, () => recordText(stored)),
        ) as CycleRecord,
    );
  const request = fields.request ?? Buffer.alloc(0);
  const { guidance } = fields;
  const stored = {
    ...head,
    request: parsed(
      id,
      'request',
      readable(id, 'request', () => unpack(request)),
    ) as Session['request'],
    cycles: records.sort((a, b) => a.cycle - b.cycle),
    ...(guidance !== undefined && {
      guidance: parsed(
        id,
        'guidance',
        readable(id, 'guidance', () => unpack(guidance)),
      ) as Guidance,
    }),
    ...(fields.stop !== undefined && { stop: parsed(id, 'stop', fields.stop.toString()) as SessionStop }),
    ...waitingPart(head, fields),
  };
  // Whatever an older release did not write yet.
  return withDefaults(sessionSchema, stored) as Session;
};

/** What its decision waits for, which goes with the progress: every move says both anew. */
const waitingPart = (head: SessionHead, { progress }: StoredFields): Pick<Session, 'waiting'> => {
  const waiting = waitingDecisionOf(head, progressFrom(head.id, progress?.toString()).decision);
  return waiting === undefined ? {} : { waiting };
};

/**
 * What `read` makes of something stored.
 * @throws Fault `session.damaged` (bug) where it cannot be read
 */
export const readable = <T>(id: string, field: string, read: () => T): T => {
  try {
    return read();
  } catch (cause) {
    throw damaged(id, `${field} cannot be unpacked`, cause);
  }
};

/** The hash of a new session. */
export const fieldsOf = (made: NewSession): Readonly<Record<string, string | Buffer>> & { readonly listed: string } => {
  const { folder, request, createdAt, guidance } = made;
  const { status, stage, cycle, attempt, cycles, stop } = beginningOf(made);
  const fixed: FixedPart = { folder, createdAt, ...labelsOf(made) };
  const fields = {
    state: [status, stage, cycle, attempt, 1, 0, createdAt].join(' '),
    row: JSON.stringify(fixed),
    listed: listedName(made),
    request: pack(JSON.stringify(request)),
    ...(guidance !== undefined && Object.fromEntries(guidanceFields(guidance))),
    progress: JSON.stringify(progressOf({ request, cycles })),
    ...Object.fromEntries(cycles.map((record) => [cycleField(record.cycle), packedRecord(record)])),
  };
  return stop === undefined ? fields : { ...fields, stop: JSON.stringify(stop) };
};

/** What is asked for, and its revision where it is not the first: the head shows it, and moves are fenced by it. */
export const guidanceFields = (guidance: Guidance): readonly (readonly [string, string | Buffer])[] => [
  ['guidance', pack(JSON.stringify(guidance))],
  ...(guidance.revision > 1 ? [['advised', String(guidance.revision)] as const] : []),
];

/**
 * What stands for a session in a list: its time of creation and its id, so that the order of the texts is the order of time.
 * An id alone does not sort: one that was made from an idempotency key says nothing of time.
 */
export const listedName = ({ id, createdAt }: Pick<NewSession, 'id' | 'createdAt'>): string =>
  `${String(Date.parse(createdAt)).padStart(15, '0')}:${id}`;

/**
 * What a session is called by: its id and its title, in an index where everything that begins alike lies together. A title is one line, so
 * that its end is seen.
 */
export const calledNames = ({ id, request }: Pick<NewSession, 'id' | 'request'>): readonly [string, string] => [
  `i:${id}`,
  `${calledTitle(request.title)}${id}`,
];

/** What names of sessions with this title begin with. */
export const calledTitle = (title: string): string => `t:${title}\n`;

/** The id in a listed name. */
export const idOfListed = (name: string): string => name.slice(name.indexOf(':') + 1);
