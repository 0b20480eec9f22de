import { sessionIdPattern, type CycleRecord, type Session } from '@fleet/contracts';
import type { SessionStore } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';

export const noSession = (id: string): ApiError =>
  new ApiError('session.not_found', `There is no session ${JSON.stringify(id.slice(0, 64))}.`);

/** @throws ApiError `session.not_found`, without asking the store when this cannot be an id */
export const checkSessionId = (id: string): void => {
  if (!sessionIdPattern.test(id)) throw noSession(id);
};

/** @throws ApiError `session.not_found` */
export const findSession = async (store: SessionStore, id: string): Promise<Session> => {
  checkSessionId(id);
  const session = await store.load(id);
  if (session === undefined) throw noSession(id);
  return session;
};

/** @throws ApiError `cycle.not_found` */
export const findCycle = (session: Session, cycle: string): CycleRecord => {
  const record = session.cycles.find((candidate) => String(candidate.cycle) === cycle);
  if (record !== undefined) return record;
  const known = session.cycles.map((candidate) => String(candidate.cycle)).join(', ');
  throw new ApiError('cycle.not_found', `Session ${session.id} has no cycle ${JSON.stringify(cycle.slice(0, 20))}.`, [
    { field: 'cycle', reason: 'has no record', allowed: known === '' ? 'none yet' : known },
  ]);
};
