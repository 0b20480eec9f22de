import { Fault } from '@fleet/contracts/faults';
import {
  sessionIdPattern,
  type ApiProblem,
  type CycleRecord,
  type Session,
  type SessionRow,
} from '@fleet/contracts/sessions';
import type { SessionIndex, SessionName } from '@fleet/ports';
import { noSession } from './find-session';

/** Fewer characters of an id are no name: whoever mistypes a title must not meet a session by chance. */
const beginningForm = /^[0-7][0-9a-hjkmnp-tv-z]{3,24}$/;
/** Characters; the same as of a submission. */
const longestTitle = 200;
/** Candidates that are told. */
const maxTold = 10;

const candidate = ({ id, title, status, createdAt, proposal }: SessionRow): ApiProblem => ({
  field: 'id',
  reason: `${JSON.stringify(title)}, ${status}, submitted ${createdAt.slice(0, 19)}Z, proposal ${proposal}`,
  allowed: id,
});

const ambiguous = (name: string, found: readonly SessionRow[]): Fault => {
  const many = found.length > maxTold ? `More than ${String(maxTold)}` : String(found.length);
  return new Fault(
    'session.ambiguous',
    'conflict',
    `${many} sessions match ${JSON.stringify(name.slice(0, 64))} by their title or the beginning of their id. Give more characters of the id.`,
    { problems: found.slice(0, maxTold).map(candidate) },
  );
};

/** Sessions of others may be called alike: so many are looked at for those that somebody sees. */
const maxLookedAt = 500;
/** Titles are one line, so that none is called so. */
const noTitle = '\n';

const namesIn = (name: string): SessionName => {
  if (sessionIdPattern.test(name)) return { title: noTitle, idBeginning: name };
  if (name === '' || name.length > longestTitle) throw noSession(name);
  const idBeginning = name.toLowerCase();
  return { title: name, ...(beginningForm.test(idBeginning) && { idBeginning }) };
};

/**
 * The session that is called so: by its id, the beginning of its id (from four characters on) or its whole title.
 * @param isSeen whether a session exists for whoever asks
 * @throws Fault `session.not_found`, or `session.ambiguous` with the candidates
 */
export const rowOfName = async (
  index: SessionIndex,
  name: string,
  isSeen: (row: SessionRow) => boolean,
): Promise<SessionRow> => {
  const found = (await index.find(namesIn(name), maxLookedAt)).filter(isSeen);
  if (found.length > 1) throw ambiguous(name, found);
  if (found[0] === undefined) throw noSession(name);
  return found[0];
};

/** The id of the session that is called so; as `rowOfName`, without asking the store about what is an id already. */
export const idOfName = async (index: SessionIndex, name: string): Promise<string> =>
  sessionIdPattern.test(name) ? name : (await rowOfName(index, name, () => true)).id;

/** @throws Fault `cycle.not_found` */
export const findCycle = (session: Session, cycle: string): CycleRecord => {
  const record = session.cycles.find((candidate) => String(candidate.cycle) === cycle);
  if (record !== undefined) return record;
  const known = session.cycles.map((candidate) => String(candidate.cycle)).join(', ');
  throw new Fault(
    'cycle.not_found',
    'not_found',
    `Session ${session.id} has no cycle ${JSON.stringify(cycle.slice(0, 20))}.`,
    {
      problems: [{ field: 'cycle', reason: 'has no record', allowed: known === '' ? 'none yet' : known }],
    },
  );
};

/** As `findCycle`, with its result. @throws Fault `cycle.not_found`, `cycle.not_finished` */
export const findFinishedCycle = (session: Session, cycle: string): CycleRecord => {
  const record = findCycle(session, cycle);
  if (record.result !== undefined) return record;
  throw new Fault(
    'cycle.not_finished',
    'conflict',
    `Cycle ${cycle} of session ${session.id} has no result yet, and its log may still grow. Ask again when it has ended.`,
  );
};

/**
 * The number of a cycle that has a record, or is decided now.
 * @throws Fault `cycle.not_found`
 */
export const knownCycle = (session: Session, cycle: string): number =>
  cycle === String(session.cycle) ? session.cycle : findCycle(session, cycle).cycle;
