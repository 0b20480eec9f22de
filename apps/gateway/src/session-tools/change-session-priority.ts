import {
  isEnded,
  priorityWishSchema,
  type Principal,
  type Priority,
  type Session,
  type SessionEvent,
  type SessionRequest,
} from '@fleet/contracts';
import { isoTime } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';
import { findSession, noSession } from '../sessions/session-lookup';
import { checkPriority } from '../submission/check-priority';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { findUnchanged, refuseProblems, type SessionTools } from './reopen-session';

/** Who asks for what. */
interface Asked {
  readonly body: unknown;
  /** The entity tag that the client saw; absent: any. */
  readonly ifMatch: string | undefined;
  readonly principal: Principal;
}

export interface ChangedSessionPriority {
  readonly before: Priority;
  readonly session: Session;
}

/** Each try meets another move of a session: a running one makes few in a second. */
const maxTries = 20;

/** @throws ApiError `request.invalid` */
const readPriority = (body: unknown): Priority => {
  const problems = new ProblemList();
  const { priority = 'standard' } = readBody(priorityWishSchema, body, problems);
  refuseProblems(problems);
  return priority;
};

const checkRuns = ({ id, status }: Session): void => {
  if (isEnded(status)) throw new ApiError('session.ended', `Session ${id} has already ended: it is ${status}.`);
  if (status === 'cancelling')
    throw new ApiError('session.cancelling', `Session ${id} is being cancelled: nothing of it starts any more.`);
};

/** As at its submission. @throws ApiError `request.invalid` */
const checkMayHave = async ({ request }: Session, priority: Priority, by: Principal, tools: SessionTools) => {
  const problems = new ProblemList();
  const { proposal, beamline } = request;
  await checkPriority(by, { priority, proposal, beamline }, tools.live, problems);
  refuseProblems(problems);
};

/** The request from now on, which still says what was submitted. */
const withPriority = (request: SessionRequest, priority: Priority): SessionRequest => {
  const { settings, inputs, priority: submitted } = request;
  const had = request.submittedAs ?? { settings, files: inputs.map(({ path }) => path) };
  return { ...request, priority, submittedAs: { priority: submitted, ...had } };
};

const changeOnce = async (tools: SessionTools, session: Session, priority: Priority): Promise<Session | 'again'> => {
  const { records, clock, dueInMs, folder, onUnkept } = tools;
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
    dueInMs,
  });
  if (!result.applied) {
    if (result.because === 'missing') throw noSession(id);
    return 'again';
  }
  // The wake-up only saves time: the store has written down already that its step is due.
  await tools.wake(result.head);
  const changed = await findSession(records, id);
  try {
    await folder.writeSession(changed);
  } catch (error) {
    // The priority counts; the session's next step writes the file.
    onUnkept(id, error);
  }
  return changed;
};

/**
 * Gives a session that runs another priority. Its step is taken again, so that a program that waits asks for its place with it. Safe to
 * repeat: where it has this priority already, nothing changes.
 * @throws ApiError `session.ended`, `session.cancelling`, `request.invalid`, or see `findUnchanged`
 */
export const changeSessionPriority = async (
  tools: SessionTools,
  id: string,
  { body, ifMatch, principal }: Asked,
): Promise<ChangedSessionPriority> => {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const session = await findUnchanged(tools.records, id, ifMatch);
    const priority = readPriority(body);
    checkRuns(session);
    const before = session.request.priority;
    if (before === priority) return { before, session };
    await checkMayHave(session, priority, principal, tools);
    const changed = await changeOnce(tools, session, priority);
    if (changed !== 'again') return { before, session: changed };
  }
  throw new ApiError('session.changed', `Session ${id} keeps moving; try again.`);
};
