import type { Principal } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import type { Priority } from '@fleet/contracts/launches';
import { routes } from '@fleet/contracts/routes';
import { isEnded, type Session, type SessionEvent, type SessionRequest } from '@fleet/contracts/sessions';
import { isoTime } from '@fleet/ports';
import { ProblemList, readBody, refuseProblems } from '@fleet/problems';
import { checkPriority } from '../request/check-priority';
import { findSession, findUnchanged, noSession, type IsSeen } from '../session/find-session';
import type { SessionPorts } from '../session/session-ports';

type PriorityPorts = Pick<SessionPorts, 'records' | 'clock' | 'limits' | 'waker' | 'members' | 'shares'>;

/** The requested change and its principal. */
interface PriorityOrder {
  readonly body: unknown;
  readonly isSeen?: IsSeen;
  readonly principal: Principal;
}

export interface ChangedSessionPriority {
  readonly before: Priority;
  readonly session: Session;
}

/** Each retry follows another transition of the session: a running one makes few in a second. */
const maxTries = 20;

const checkRuns = ({ id, status }: Session): void => {
  if (isEnded(status))
    throw new Fault('session.ended', 'conflict', `Session ${id} has already ended: it is ${status}.`);
  if (status === 'cancelling')
    throw new Fault('session.cancelling', 'conflict', `Session ${id} is being cancelled: none of its programs start.`);
};

/** The same check as at submission. @throws Fault `request.invalid` */
const checkMayHave = async ({ request }: Session, priority: Priority, by: Principal, ports: PriorityPorts) => {
  const problems = new ProblemList();
  const { proposal, beamline } = request;
  await checkPriority(by, { priority, proposal, beamline }, ports, problems);
  refuseProblems(problems);
};

/** The request with the new priority; it keeps the submitted one. */
const withPriority = (request: SessionRequest, priority: Priority): SessionRequest => {
  const { settings, inputs, priority: submitted } = request;
  const had = request.submittedAs ?? { settings, files: inputs.map(({ path }) => path) };
  return { ...request, priority, submittedAs: { priority: submitted, ...had } };
};

const changeOnce = async (ports: PriorityPorts, session: Session, priority: Priority): Promise<Session | 'again'> => {
  const { records, clock, limits, waker } = ports;
  const { id, cycle, version, request } = session;
  const event: SessionEvent = {
    type: 'session_prioritised',
    cycle,
    at: isoTime(clock),
    message: `Priority ${priority} from now on; it was ${request.priority}`,
    data: { priority, before: request.priority },
  };
  const to = withPriority(request, priority);
  const result = await records.prioritise({
    sessionId: id,
    fromVersion: version,
    request: to,
    events: [event],
    dueInMs: limits.dueInMs,
  });
  if (!result.applied) {
    if (result.reason === 'missing') throw noSession(id);
    return 'again';
  }
  // The wake-up only saves time: the store has already recorded that the step is due.
  await waker.wake(result.head);
  return findSession(records, id);
};

/**
 * Changes the priority of a running session. Its step is taken again, so that a waiting program requests its slot with the new priority.
 * Idempotent.
 */
export class ChangeSessionPriority {
  constructor(private readonly ports: PriorityPorts) {}

  /** @throws Fault `session.ended`, `session.cancelling`, `request.invalid`, or see `findUnchanged` */
  async run(id: string, { body, isSeen, principal }: PriorityOrder): Promise<ChangedSessionPriority> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const session = await findUnchanged(this.ports.records, id, isSeen);
      const { priority } = readBody(routes.sessionTools.setPriority, body);
      checkRuns(session);
      const before = session.request.priority;
      if (before === priority) return { before, session };
      await checkMayHave(session, priority, principal, this.ports);
      const changed = await changeOnce(this.ports, session, priority);
      if (changed !== 'again') return { before, session: changed };
    }
    throw new Fault('session.changed', 'conflict', `Session ${id} changed meanwhile. Nothing was changed. Try again.`);
  }
}
