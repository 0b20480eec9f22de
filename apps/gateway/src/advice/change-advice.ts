import { nextGuidance, type NewGuidance } from '@fleet/advice';
import {
  adviceChangeSchema,
  guidanceOf,
  isEnded,
  type Guidance,
  type Principal,
  type Session,
  type SessionDirectives,
} from '@fleet/contracts';
import { isoTime } from '@fleet/ports';
import { adviceReadEvent } from '@fleet/session-report';
import { checkInputs } from '../data-folders/session-inputs';
import { ApiError } from '../errors/problem-details';
import { isKnown } from '../http/entity-tag';
import { findSession, noSession } from '../sessions/session-lookup';
import { refuseProblems, type SessionTools } from '../session-tools/reopen-session';
import { reopenWith } from '../session-tools/resume-session';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { readDirectives } from '../submission/read-directives';
import { readerFor, sourcesOf } from './advice-reading';

/** Changes with the guidance of the session, and with nothing else. */
export const guidanceTag = ({ revision }: Pick<Guidance, 'revision'>): string => `"${String(revision)}"`;

/** Each try meets another move of a session: a running one makes few in a second. */
const maxTries = 20;

const changed = (id: string, current: Guidance): ApiError =>
  new ApiError(
    'advice.changed',
    `The advice of session ${id} has revision ${String(current.revision)} by now; read it again.`,
    [{ field: 'If-Match', reason: 'names another revision', allowed: guidanceTag(current), code: 'field.value' }],
  );

const checkTag = (id: string, ifMatch: string | undefined, current: Guidance): void => {
  if (ifMatch === undefined)
    throw new ApiError(
      'advice.no_precondition',
      `Send If-Match with the ETag of /v1/sessions/${id}/advice, so that nobody's advice is overwritten unseen.`,
      [{ field: 'If-Match', reason: 'is missing', allowed: guidanceTag(current), code: 'field.missing' }],
    );
  if (!isKnown(ifMatch, guidanceTag(current))) throw changed(id, current);
};

/** @throws ApiError `request.invalid` with everything that is wrong */
const readChange = (body: unknown, { knowledge }: SessionTools): NewGuidance => {
  const problems = new ProblemList();
  const { advice, advice_file, directives } = readBody(adviceChangeSchema, body, problems);
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

/** One that has ended would continue, and read its files. @throws ApiError `request.invalid` */
const checkReadable = async ({ request }: Session, principal: Principal, { files }: SessionTools): Promise<void> => {
  const problems = new ProblemList();
  await checkInputs(request, principal, files.readableBy, problems);
  refuseProblems(problems);
};

const changeOnce = async (tools: SessionTools, session: Session, said: NewGuidance): Promise<Session | 'again'> => {
  const { records, clock, knowledge, folder, onUnkept } = tools;
  const { id, stage, cycle, status, request } = session;
  const next = nextGuidance(session, said, readerFor(knowledge, request), isoTime(clock));
  if (next === undefined) return session;
  if (isEnded(status)) return reopenWith(tools, session, { request, said: next });
  const from = { revision: guidanceOf(session).revision, stage, cycle };
  const result = await records.advise({ sessionId: id, from, guidance: next, events: [adviceReadEvent(next, cycle)] });
  if (result === 'missing') throw noSession(id);
  if (result !== 'applied') return 'again';
  const advised = await findSession(records, id);
  try {
    await folder.writeSession(advised);
  } catch (error) {
    // The advice counts; the session's next step writes the file.
    onUnkept(id, error);
  }
  return advised;
};

/**
 * Changes what is asked for: of a running session from its next decision on, without disturbing what runs; one that has ended continues.
 * @throws ApiError `advice.no_precondition`, `advice.changed`, `request.invalid`, `session.cancelling` or `session.ended`
 */
export const changeAdvice = async (
  tools: SessionTools,
  id: string,
  body: unknown,
  { ifMatch, principal }: { readonly ifMatch: string | undefined; readonly principal: Principal },
): Promise<Session> => {
  let session = await findSession(tools.records, id);
  checkTag(id, ifMatch, guidanceOf(session));
  const said = readChange(body, tools);
  if (isEnded(session.status)) await checkReadable(session, principal, tools);
  for (let tries = 0; tries < maxTries; tries += 1) {
    checkTag(id, ifMatch, guidanceOf(session));
    if (session.status === 'cancelling')
      throw new ApiError(
        'session.cancelling',
        `Session ${id} is being cancelled; its advice can be changed once it has ended.`,
      );
    const result = await changeOnce(tools, session, said);
    if (result !== 'again') return result;
    session = await findSession(tools.records, id);
  }
  throw new ApiError('session.changed', `Session ${id} keeps moving; try again.`);
};
