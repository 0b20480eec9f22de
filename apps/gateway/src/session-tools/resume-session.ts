import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { guidanceGoingOn, nextGuidance, type NewGuidance } from '@fleet/advice';
import {
  type Guidance,
  type Principal,
  type Session,
  type SessionEvent,
  type SessionFile,
  type SessionRequest,
} from '@fleet/contracts';
import { isoTime } from '@fleet/ports';
import { adviceReadEvent, progressOf } from '@fleet/session-report';
import { readerFor, sourcesOf } from '../advice/advice-reading';
import { checkInputs } from '../data-folders/session-inputs';
import { ApiError } from '../errors/problem-details';
import { checkExperiment } from '../submission/check-experiment';
import { inspectFiles } from '../submission/inspect-files';
import { ProblemList } from '../submission/problem-list';
import { readDirectives } from '../submission/read-directives';
import { readSettings } from '../submission/read-settings';
import { changesOf, newsText, type Told } from './told-changes';
import { readResumeBody, type ResumeBody } from './read-tool-body';
import { findEnded, refuseProblems, reopenSession, type SessionTools } from './reopen-session';

/** Who asks for what. */
interface AskedResume {
  readonly body: unknown;
  /** The entity tag that the client saw; absent: any. */
  readonly ifMatch: string | undefined;
  readonly principal: Principal;
}

/** The number of the next cycle: the current one where nothing was decided in it. A number that was used is never used again. */
const nextCycle = ({ cycle, cycles, stop }: Session): number => {
  const used = stop?.reason === 'cycles_removed' || cycles.some((record) => record.cycle === cycle);
  return used ? cycle + 1 : cycle;
};

/** Files of the request that were not there, or are others now. */
const addedTo = ({ inputs: before }: SessionRequest, { inputs }: SessionRequest): readonly string[] =>
  inputs.filter((file) => !before.some((old) => isDeepStrictEqual(old, file))).map(({ path }) => basename(path));

const resumedEvent = (session: Session, after: Told, cycle: number, at: string): SessionEvent => {
  const changes = changesOf(session, after);
  const added = addedTo(session.request, after.request);
  const stop = session.stop === undefined ? null : { reason: session.stop.reason, detail: session.stop.detail };
  return {
    type: 'session_resumed',
    cycle,
    at,
    message: `Resumed at cycle ${String(cycle)}${newsText(added, Object.keys(changes))}`,
    data: { changes, stop, ...(added.length > 0 && { files: added }) },
  };
};

/** The files from now on: one that was there already is taken as it is now. */
const inputsAfter = (before: readonly SessionFile[], added: readonly SessionFile[]): readonly SessionFile[] => {
  const again = new Map(added.map((file) => [file.path, file]));
  const known = new Set(before.map(({ path }) => path));
  return [...before.map((file) => again.get(file.path) ?? file), ...added.filter(({ path }) => !known.has(path))];
};

/** Settings and files as they were submitted, from the first resume on that changes them. */
const submittedAsOf = (
  { submittedAs, settings, inputs }: SessionRequest,
  after: Pick<SessionRequest, 'settings' | 'inputs'>,
): Pick<SessionRequest, 'submittedAs'> => {
  if (submittedAs !== undefined) return { submittedAs };
  if (isDeepStrictEqual(settings, after.settings) && isDeepStrictEqual(inputs, after.inputs)) return {};
  return { submittedAs: { settings, files: inputs.map(({ path }) => path) } };
};

/** The request as it is from now on. Whatever is wrong goes to `problems`; the result is then to be thrown away. */
const requestAfter = async (
  request: SessionRequest,
  given: ResumeBody,
  { knowledge, files }: SessionTools,
  principal: Principal,
  problems: ProblemList,
): Promise<SessionRequest> => {
  await checkInputs(request, principal, files.readableBy, problems);
  const rules = { ...files, readable: files.readableBy(principal) };
  const added = await inspectFiles(given.files, rules, problems, request.inputs.length);
  const inputs = inputsAfter(request.inputs, added);
  const settings = readSettings({ ...request.settings, ...given.settings }, knowledge.programs, problems);
  checkExperiment(inputs, settings, added.length === given.files.length, problems);
  return { ...request, inputs, settings, ...submittedAsOf(request, { inputs, settings }) };
};

/** What is said again. */
const saidIn = (
  { advice, adviceFile, directives }: ResumeBody,
  tools: SessionTools,
  problems: ProblemList,
): NewGuidance => ({
  ...(advice !== undefined && { sources: sourcesOf(advice, adviceFile) }),
  ...(directives !== undefined && { directives: readDirectives(directives, tools.knowledge, problems) ?? {} }),
});

/** Nothing of an ended session can be stopped any more. */
const checkGoesOn = ({ id, status }: Session, guidance: Guidance | undefined): void => {
  if (guidance?.endsAfter === undefined) return;
  throw new ApiError('session.ended', `Session ${id} has already ended: it is ${status}. There is nothing to stop.`);
};

/**
 * Lets an ended session decide on its next cycle, with this request and this guidance from now on.
 * @param said absent: nothing new was said
 * @throws ApiError `session.changed`, or `session.ended` where nothing but "stop" was said
 */
export const reopenWith = async (
  tools: SessionTools,
  session: Session,
  { request, said }: { readonly request: SessionRequest; readonly said: Guidance | undefined },
): Promise<Session> => {
  checkGoesOn(session, said);
  const at = isoTime(tools.clock);
  const guidance = said ?? guidanceGoingOn(session.guidance, at);
  const after = { ...session, request, ...(guidance !== undefined && { guidance }) };
  const cycle = nextCycle(session);
  return reopenSession(tools, {
    sessionId: session.id,
    fromVersion: session.version,
    to: { stage: 'deciding', cycle, attempt: 1 },
    request,
    ...(guidance !== undefined && { guidance }),
    progress: progressOf(after),
    events: [resumedEvent(session, after, cycle, at), ...(said === undefined ? [] : [adviceReadEvent(said, cycle)])],
    dueInMs: tools.dueInMs,
  });
};

/**
 * Lets an ended session decide on its next cycle, with new advice, directives, settings and more files where they are given.
 * @throws ApiError `request.invalid` with everything that is wrong, or see `findEnded` and `reopenWith`
 */
export const resumeSession = async (
  tools: SessionTools,
  id: string,
  { body, ifMatch, principal }: AskedResume,
): Promise<Session> => {
  const session = await findEnded(tools.records, id, ifMatch);
  const problems = new ProblemList();
  const given = readResumeBody(body, problems);
  const request = await requestAfter(session.request, given, tools, principal, problems);
  const wish = saidIn(given, tools, problems);
  refuseProblems(problems);
  const said = nextGuidance(session, wish, readerFor(tools.knowledge, request), isoTime(tools.clock));
  return reopenWith(tools, session, { request, said });
};
