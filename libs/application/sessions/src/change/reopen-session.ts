import { Fault } from '@fleet/contracts/faults';
import { isEnded, type Session } from '@fleet/contracts/sessions';
import type { Reopening, ReopenResult } from '@fleet/ports';
import { changed, findSession, noSession } from '../session/find-session';
import type { SessionPorts } from '../session/session-ports';

export type ReopenPorts = Pick<SessionPorts, 'records' | 'folder' | 'waker'>;

const refusalOf = (reason: Extract<ReopenResult, { applied: false }>['reason'], id: string): Fault => {
  if (reason === 'missing') return noSession(id);
  return reason === 'purged'
    ? new Fault('session.purged', 'conflict', `The files of session ${id} are being deleted.`)
    : changed(id);
};

/**
 * Applies the change, if the session's folder is writable.
 * @throws Fault `session.changed` if the session changed meanwhile, or a storage Fault if the session's folder cannot be written: then
 * nothing has changed
 */
export const reopenSession = async (ports: ReopenPorts, reopening: Reopening): Promise<Session> => {
  const { records, folder, waker } = ports;
  await folder.tryFolder(await findSession(records, reopening.sessionId));
  const result = await records.reopen(reopening);
  if (!result.applied) throw refusalOf(result.reason, reopening.sessionId);
  if (!isEnded(result.head.status)) await waker.wake(result.head);
  return findSession(records, reopening.sessionId);
};
