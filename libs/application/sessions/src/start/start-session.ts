import { Fault, isFault } from '@fleet/contracts/faults';
import type { Session, SessionEvent, SessionRequest } from '@fleet/contracts/sessions';
import type { NewSession } from '@fleet/ports';
import type { SessionPorts } from '../session/session-ports';

type StartPorts = Pick<SessionPorts, 'records' | 'waker' | 'limits'>;

export interface Submitted {
  readonly session: Session;
  /** True: the idempotency key was already used for the same request; nothing new was created. */
  readonly replayed: boolean;
}

/** The request with the current trace, to which all later work for the session belongs. */
export const traced = (request: SessionRequest, { tracing }: Pick<SessionPorts, 'tracing'>): SessionRequest => {
  const traceparent = tracing.here();
  return traceparent === undefined ? request : { ...request, traceparent };
};

/** The record as `create` writes it. */
export const recordOf = ({ id, folder, request, guidance, createdAt, resume }: NewSession): Session => ({
  id,
  status: 'running',
  stage: 'deciding',
  cycle: 1,
  attempt: 1,
  version: 1,
  wakeUps: 0,
  folder,
  createdAt,
  updatedAt: createdAt,
  request,
  ...(guidance !== undefined && { guidance }),
  cycles: [],
  ...resume,
});

/** @throws Fault `service.unavailable` if the store is unreachable: then it is unknown whether the session was created */
export const create = async (
  session: NewSession,
  events: readonly SessionEvent[],
  { records, limits }: StartPorts,
): Promise<'created' | 'exists'> => {
  try {
    return await records.create(session, events, limits.dueInMs);
  } catch (error) {
    if (!isFault(error) || error.kind !== 'transient') throw error;
    throw new Fault(
      'service.unavailable',
      'transient',
      `The session store is unreachable. Whether session ${session.id} was started is unknown: check before you submit again, or use an idempotency key, which makes repeating safe.`,
    );
  }
};

/**
 * From here on the session runs. A crash here leaves a session that no client has been promised.
 * @param session as `create` wrote it; a wake-up of a session that has moved meanwhile is stale, and harmless
 */
export const run = async (session: Session, { waker }: Pick<StartPorts, 'waker'>): Promise<Session> => {
  await waker.wake(session);
  return session;
};
