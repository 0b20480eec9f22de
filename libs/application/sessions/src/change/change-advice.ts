import { nextGuidance, type NewGuidance } from '@fleet/advice';
import type { Principal } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import type { Guidance, SessionDirectives } from '@fleet/contracts/guidance';
import { routes } from '@fleet/contracts/routes';
import { guidanceOf, isEnded, type Session } from '@fleet/contracts/sessions';
import { isoTime } from '@fleet/ports';
import { collectBody, ProblemList, refuseProblems } from '@fleet/problems';
import { adviceReadEvent } from '@fleet/session-report';
import { readerFor, sourcesOf } from '../request/advice-reading';
import { checkInputs } from '../request/check-inputs';
import { readDirectives } from '../request/read-directives';
import { findSession, noSession } from '../session/find-session';
import type { SessionPorts } from '../session/session-ports';
import { reopenWith } from './resume-session';

/** Each retry follows another transition of the session: a running one makes few in a second. */
const maxTries = 20;

/** Whether the caller has seen this guidance. */
type IsSeenGuidance = (guidance: Guidance) => boolean;

const changed = (id: string, current: Guidance): Fault =>
  new Fault(
    'advice.changed',
    'conflict',
    `The advice of session ${id} now has revision ${String(current.revision)}; read it again.`,
    {
      problems: [
        { field: 'revision', reason: 'is another one', allowed: String(current.revision), code: 'field.value' },
      ],
    },
  );

const checkSeen = (id: string, isSeen: IsSeenGuidance | undefined, current: Guidance): void => {
  if (isSeen === undefined)
    throw new Fault(
      'advice.no_precondition',
      'caller',
      `Send If-Match with the revision of the advice of session ${id} that you have read, so that no other change is overwritten.`,
      {
        problems: [
          { field: 'revision', reason: 'is missing', allowed: String(current.revision), code: 'field.missing' },
        ],
      },
    );
  if (!isSeen(current)) throw changed(id, current);
};

/** @throws Fault `request.invalid` with all problems */
const readChange = (body: unknown, { knowledge }: SessionPorts): NewGuidance => {
  const problems = new ProblemList();
  const { advice, advice_file, directives } = collectBody(routes.advice.change, body, problems);
  if (problems.isEmpty && advice === undefined && directives === undefined)
    problems.add('field.missing', 'advice', 'is missing', 'advice, directives or both');
  const given: SessionDirectives | undefined =
    directives === undefined ? undefined : (readDirectives(directives, knowledge, problems) ?? {});
  refuseProblems(problems);
  return {
    ...(advice !== undefined && { sources: sourcesOf(advice, advice_file) }),
    ...(given !== undefined && { directives: given }),
  };
};

/** An ended session would continue and read its files. @throws Fault `request.invalid` */
const checkReadable = async (
  { request }: Session,
  principal: Principal,
  { readableBy }: SessionPorts,
): Promise<void> => {
  const problems = new ProblemList();
  await checkInputs(request, principal, readableBy, problems);
  refuseProblems(problems);
};

const changeOnce = async (
  ports: SessionPorts,
  session: Session,
  newGuidance: NewGuidance,
): Promise<Session | 'again'> => {
  const { records, clock, knowledge } = ports;
  const { id, stage, cycle, status, request } = session;
  const next = nextGuidance(session, newGuidance, readerFor(knowledge, request), isoTime(clock));
  if (next === undefined) return session;
  if (isEnded(status)) return reopenWith(ports, session, { request, newGuidance: next });
  const from = { revision: guidanceOf(session).revision, stage, cycle };
  const result = await records.advise({ sessionId: id, from, guidance: next, events: [adviceReadEvent(next, cycle)] });
  if (result === 'missing') throw noSession(id);
  if (result !== 'applied') return 'again';
  return findSession(records, id);
};

/** Changes the guidance: for a running session from its next decision on, without disturbing its program; an ended session continues. */
export class ChangeAdvice {
  constructor(private readonly ports: SessionPorts) {}

  /** @throws Fault `advice.no_precondition`, `advice.changed`, `request.invalid`, `session.cancelling` or `session.ended` */
  async run(
    id: string,
    body: unknown,
    { isSeen, principal }: { readonly isSeen: IsSeenGuidance | undefined; readonly principal: Principal },
  ): Promise<Session> {
    const { records } = this.ports;
    let session = await findSession(records, id);
    checkSeen(id, isSeen, guidanceOf(session));
    const newGuidance = readChange(body, this.ports);
    if (isEnded(session.status)) await checkReadable(session, principal, this.ports);
    for (let tries = 0; tries < maxTries; tries += 1) {
      checkSeen(id, isSeen, guidanceOf(session));
      if (session.status === 'cancelling')
        throw new Fault(
          'session.cancelling',
          'conflict',
          `Session ${id} is being cancelled; its advice can be changed once it has ended.`,
        );
      const result = await changeOnce(this.ports, session, newGuidance);
      if (result !== 'again') return result;
      session = await findSession(records, id);
    }
    throw new Fault('session.changed', 'conflict', `Session ${id} changed meanwhile. Nothing was changed. Try again.`);
  }
}
