import { Fault } from '@fleet/contracts/faults';
import { isEnded, sessionIdPattern, type Session, type SessionHead } from '@fleet/contracts/sessions';
import type { SessionRecords } from '@fleet/ports';

export const noSession = (id: string): Fault =>
  new Fault('session.not_found', 'not_found', `Unknown session ${JSON.stringify(id.slice(0, 64))}.`);

/** @throws Fault `session.not_found`, without a query, for an invalid id */
export const checkSessionId = (id: string): void => {
  if (!sessionIdPattern.test(id)) throw noSession(id);
};

/** @throws Fault `session.not_found` */
export const findSession = async (records: Pick<SessionRecords, 'load'>, id: string): Promise<Session> => {
  checkSessionId(id);
  const session = await records.load(id);
  if (session === undefined) throw noSession(id);
  return session;
};

/** As `findSession`, without the cycles. @throws Fault `session.not_found` */
export const findHead = async (records: Pick<SessionRecords, 'loadHead'>, id: string): Promise<SessionHead> => {
  checkSessionId(id);
  const head = await records.loadHead(id);
  if (head === undefined) throw noSession(id);
  return head;
};

/** Whether the caller has seen this version of a session; absent: any version. */
export type IsSeen = (session: Session) => boolean;

export const changed = (id: string): Fault =>
  new Fault('session.changed', 'conflict', `Session ${id} has changed since you read it; read it again.`);

/**
 * The session, if it is unchanged since the caller saw it.
 * @throws Fault `session.not_found` or `session.changed`
 */
export const findUnchanged = async (
  records: Pick<SessionRecords, 'load'>,
  id: string,
  isSeen: IsSeen = () => true,
): Promise<Session> => {
  const session = await findSession(records, id);
  if (!isSeen(session)) throw changed(id);
  return session;
};

/**
 * The ended session, if it is unchanged since the caller saw it.
 * @throws Fault `session.not_ended`, or see `findUnchanged`
 */
export const findEnded = async (
  records: Pick<SessionRecords, 'load'>,
  id: string,
  isSeen?: IsSeen,
): Promise<Session> => {
  const session = await findUnchanged(records, id, isSeen);
  if (!isEnded(session.status))
    throw new Fault('session.not_ended', 'conflict', `Session ${id} has not ended; cancel it first, or wait.`);
  return session;
};
