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

/** A shorter beginning of an id is not accepted, so that a mistyped title does not match a session by chance. */
const beginningForm = /^[0-7][0-9a-hjkmnp-tv-z]{3,24}$/;
/** Maximum length; the same as for a submission. */
const longestTitle = 200;
/** Maximum number of candidates in an error. */
const maxReported = 10;

const candidate = ({ id, title, status, createdAt, proposal }: SessionRow): ApiProblem => ({
  field: 'id',
  reason: `${JSON.stringify(title)}, ${status}, submitted ${createdAt.slice(0, 19)}Z, proposal ${proposal}`,
  allowed: id,
});

const ambiguous = (name: string, found: readonly SessionRow[]): Fault => {
  const many = found.length > maxReported ? `More than ${String(maxReported)}` : String(found.length);
  return new Fault(
    'session.ambiguous',
    'conflict',
    `${many} sessions match ${JSON.stringify(name.slice(0, 64))} by title or id. Give more characters of the id.`,
    { problems: found.slice(0, maxReported).map(candidate) },
  );
};

/** Other users' sessions may have the same name: so many are searched for the visible ones. */
const maxLookedAt = 500;
/** Titles are single lines, so this matches none. */
const noTitle = '\n';

const namesIn = (name: string): SessionName => {
  if (sessionIdPattern.test(name)) return { title: noTitle, idBeginning: name };
  if (name === '' || name.length > longestTitle) throw noSession(name);
  const idBeginning = name.toLowerCase();
  return { title: name, ...(beginningForm.test(idBeginning) && { idBeginning }) };
};

/**
 * The session with this id, this beginning of an id (at least four characters) or this whole title.
 * @param isSeen whether the caller may see a session
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

/** The id of the session with this name; as `rowOfName`, without a query if the name is a complete id. */
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
    `Cycle ${cycle} of session ${session.id} is still running. Try again when it has ended.`,
  );
};

/**
 * The number of a cycle that has a record, or of the current one.
 * @throws Fault `cycle.not_found`
 */
export const knownCycle = (session: Session, cycle: string): number =>
  cycle === String(session.cycle) ? session.cycle : findCycle(session, cycle).cycle;
