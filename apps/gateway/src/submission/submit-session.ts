import { basename, join } from 'node:path';
import {
  ligandText,
  type Guidance,
  type Principal,
  type Session,
  type SessionEvent,
  type SessionRequest,
} from '@fleet/contracts';
import { isoTime, type Clock, type NewSession, type SessionFolderPort, type Tracing } from '@fleet/ports';
import { firstGuidance } from '@fleet/advice';
import { readerFor, sourcesOf } from '../advice/advice-reading';
import { adviceReadEvent, guidanceSentences } from '@fleet/session-report';
import type { ReadableBy } from '../data-folders/readable-by';
import { ApiError } from '../errors/problem-details';
import type { AgentKnowledge } from '../results/agent-knowledge';
import { checkExperiment } from './check-experiment';
import { checkPriority, type LiveRules } from './check-priority';
import type { FileRules } from './inspect-files';
import { ProblemList } from './problem-list';
import { readDirectives } from './read-directives';
import { readSettings } from './read-settings';
import { isSameSubmission, titleOf } from './same-submission';
import { createPrepared, recordOf, runPrepared, unlessUnkept, type StartRules } from './start-session';
import { newSessionId, sessionIdOfKey } from './session-id';
import { readSubmissionBody, type SubmissionBody } from './submission-body';
import { submittedBy } from './submitted-by';
import { directoryNote, submittedInputs, type SubmittedInputs } from './submitted-inputs';

export const SUBMISSION_RULES = Symbol('SubmissionRules');

export interface SubmissionRules extends Omit<FileRules, 'readable'>, LiveRules, StartRules {
  /** What somebody may read of what a submission can name. */
  readonly readableBy: ReadableBy;
  readonly folder: Pick<SessionFolderPort, 'prepareSession' | 'writeNewSession' | 'carryFiles'>;
  readonly clock: Clock;
  /** Absolute; sessions lie in `<work root>/<proposal>/<id>`. */
  readonly workRoot: string;
  /** Programs that a setting may name, and what their parameters may be set to. */
  readonly knowledge: Pick<AgentKnowledge, 'programs' | 'checkSettings' | 'readAdvice' | 'fileUses'>;
  readonly tracing: Pick<Tracing, 'begin' | 'here'>;
}

/** The request with the trace that is under way, to which all belongs that will be done for the session. */
export const traced = (request: SessionRequest, { tracing }: Pick<SubmissionRules, 'tracing'>): SessionRequest => {
  const traceparent = tracing.here();
  return traceparent === undefined ? request : { ...request, traceparent };
};

export interface Submitted {
  readonly session: Session;
  /** True: the idempotency key had been used for the same submission, nothing new was made. */
  readonly replayed: boolean;
}

const refuse = (problems: ProblemList): never => {
  const many = problems.count === 1 ? 'There is one problem' : `${String(problems.count)} problems`;
  throw new ApiError('submission.invalid', `${many} with this submission; nothing was started.`, problems.all);
};

const replay = async (id: string, body: SubmissionBody, rules: SubmissionRules): Promise<Submitted | undefined> => {
  const session = await rules.records.load(id);
  if (session === undefined) return undefined;
  if (await isSameSubmission(session.request, body, rules.knowledge)) {
    // The first request may have died between the record and the file. The session runs: that its file cannot be written now is no
    // reason to refuse what has been accepted.
    await unlessUnkept(id, () => rules.folder.writeNewSession(session), rules);
    return { session, replayed: true };
  }
  throw new ApiError(
    'idempotency.conflict',
    `The key belongs to session ${id}, which was submitted with another body.`,
    [{ field: 'Idempotency-Key', reason: `was used for session ${id}`, allowed: 'a new key, or the same body' }],
  );
};

/** A submission that is valid. */
interface Accepted {
  readonly request: SessionRequest;
  readonly found: SubmittedInputs;
}

const accept = async (
  body: SubmissionBody,
  rules: SubmissionRules & Pick<FileRules, 'readable'>,
  problems: ProblemList,
  principal: Principal,
  batch?: string,
): Promise<Accepted> => {
  const settings = readSettings(body.settings, rules.knowledge.programs, problems);
  const directives = readDirectives(body.directives, rules.knowledge, problems);
  const found = await submittedInputs(body, rules, problems);
  const { inputs, complete, directory } = found;
  checkExperiment(inputs, settings, complete, problems);
  await checkPriority(principal, body, rules, problems);
  if (!problems.isEmpty) refuse(problems);
  const { sample, advice, proposal, beamline, submitter, priority, ligands } = body;
  const request = {
    title: titleOf(body),
    ...(sample !== undefined && { sample }),
    advice,
    proposal,
    beamline,
    submitter,
    priority,
    settings,
    ...(ligands !== undefined && { ligands }),
    ...(directives !== undefined && { directives }),
    ...(directory !== undefined && { directory }),
    ...(batch !== undefined && { batch }),
    inputs,
  };
  return { request, found };
};

const submittedEvent = ({ request, found }: Accepted, guidance: Guidance | undefined, at: string): SessionEvent => ({
  type: 'session_submitted',
  cycle: 0,
  at,
  message: `${request.title}: ${String(request.inputs.length)} file${request.inputs.length === 1 ? '' : 's'} submitted${directoryNote(found)}`,
  data: {
    files: request.inputs.map((file) => basename(file.path)),
    proposal: request.proposal,
    beamline: request.beamline,
    advice: request.advice !== '',
    understood: guidance === undefined ? [] : guidanceSentences(guidance),
    directives: Object.keys(request.directives ?? {}),
    ...(request.ligands !== undefined && { ligands: request.ligands.map(ligandText) }),
    ...(request.directory !== undefined && { directory: request.directory.path, leftOut: found.leftOut }),
  },
});

/** What is asked for, read before anything follows from it. */
const guidanceOfSubmission = (
  { advice, adviceFile }: SubmissionBody,
  { request, found }: Accepted,
  { knowledge }: SubmissionRules,
  at: string,
): Guidance | undefined => {
  const sources = [...sourcesOf(advice, adviceFile), ...(found.readme === undefined ? [] : [found.readme])];
  const { directives } = request;
  return firstGuidance({ sources, ...(directives && { directives }) }, readerFor(knowledge, request), at);
};

/** With `strict`, a file that would be used for nothing refuses the submission. */
const checkUses = (session: Session, { strict }: SubmissionBody, { knowledge }: SubmissionRules): void => {
  if (!strict) return;
  const problems = new ProblemList();
  knowledge.fileUses(session).forEach(({ used, path, text }, index) => {
    if (used) return;
    const reason = `${basename(path)} would not be used: ${text}`;
    problems.add('files.unused', `files[${String(index)}]`, reason, 'a submission without it, or without strict');
  });
  if (!problems.isEmpty) refuse(problems);
};

const newSession = (id: string, body: SubmissionBody, accepted: Accepted, rules: SubmissionRules): NewSession => {
  const request = traced(accepted.request, rules);
  const folder = join(rules.workRoot, request.proposal, id);
  const createdAt = isoTime(rules.clock);
  const guidance = guidanceOfSubmission(body, accepted, rules, createdAt);
  return { id, folder, request, createdAt, ...(guidance !== undefined && { guidance }) };
};

/**
 * Checks a submission as `readySubmission` does, and starts nothing.
 * @returns the session that it would start
 * @throws ApiError `access.denied` or `submission.invalid` with everything that is wrong
 */
export const checkSubmission = async (
  rawBody: unknown,
  given: SubmissionRules,
  principal: Principal,
): Promise<Session> => {
  const problems = new ProblemList();
  const body = await submittedBy(principal, readSubmissionBody(rawBody, problems), problems, given.beamlinesOf);
  const rules = { ...given, readable: given.readableBy(principal) };
  const accepted = await accept(body, rules, problems, principal);
  const session = recordOf(newSession(newSessionId(rules.clock.now()), body, accepted, rules));
  checkUses(session, body, rules);
  return session;
};

/** A submission that is valid, and has not been started. */
export interface ReadySubmission {
  /** The session that it is going to be. */
  readonly session: Session;
  /**
   * Whatever can fail on the disk is done before the session exists, so that a refusal means that nothing runs; and what comes after cannot
   * refuse any more.
   * @throws ApiError `idempotency.conflict`, or as the store
   */
  readonly start: () => Promise<Submitted>;
}

/**
 * Checks a submission as far as its session can be started; or gives the session that its key has started already.
 * @param batch id of the batch that it is a row of
 * @throws ApiError `access.denied` for another's proposal, `submission.invalid` with everything that is wrong, or `idempotency.conflict`
 */
export const readySubmission = async (
  rawBody: unknown,
  idempotencyKey: string | undefined,
  given: SubmissionRules,
  principal: Principal,
  batch?: string,
): Promise<Submitted | ReadySubmission> => {
  const problems = new ProblemList();
  const body = await submittedBy(principal, readSubmissionBody(rawBody, problems), problems, given.beamlinesOf);
  const rules = { ...given, readable: given.readableBy(principal) };
  const id =
    idempotencyKey === undefined ? newSessionId(rules.clock.now()) : sessionIdOfKey(idempotencyKey, principal.id);
  if (idempotencyKey !== undefined && problems.isEmpty) {
    const earlier = await replay(id, body, rules);
    if (earlier !== undefined) return earlier;
  }
  const accepted = await accept(body, rules, problems, principal, batch);
  const session = newSession(id, body, accepted, rules);
  checkUses(recordOf(session), body, rules);
  return { session: recordOf(session), start: () => start(session, { body, accepted, rules }) };
};

/** Starts it, unless its key has started it already. */
export const startSubmission = (ready: Submitted | ReadySubmission): Promise<Submitted> =>
  'start' in ready ? ready.start() : Promise.resolve(ready);

interface Checked {
  readonly body: SubmissionBody;
  readonly accepted: Accepted;
  readonly rules: SubmissionRules;
}

const start = async (session: NewSession, { body, accepted, rules }: Checked): Promise<Submitted> => {
  const { id, guidance, createdAt } = session;
  const read = guidance === undefined ? [] : [adviceReadEvent(guidance, 0)];
  const events = [submittedEvent(accepted, guidance, createdAt), ...read];
  const prepared = await rules.folder.prepareSession(recordOf(session));
  if ((await createPrepared(session, events, prepared, rules)) === 'exists') {
    // Another request with the same key was faster.
    const earlier = await replay(id, body, rules);
    if (earlier !== undefined) return earlier;
  }
  return { session: await runPrepared(recordOf(session), prepared, rules), replayed: false };
};
