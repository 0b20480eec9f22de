import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { guidanceGoingOn, nextGuidance } from '@fleet/advice';
import { denialOf, mayBegin } from '@fleet/access';
import {
  analysedCycles,
  canonicalJson,
  forkWishSchema,
  type ForkWish,
  type Guidance,
  type Principal,
  type Session,
  type SessionEvent,
  type SessionRequest,
} from '@fleet/contracts';
import { forkedWork } from '@fleet/files';
import { isoTime, type CarriedFiles, type NewSession } from '@fleet/ports';
import { adviceReadEvent, plainLine } from '@fleet/session-report';
import { denied } from '../access/denied';
import { checkInputs } from '../data-folders/session-inputs';
import { readerFor, sourcesOf } from '../advice/advice-reading';
import { ApiError } from '../errors/problem-details';
import { findSession } from '../sessions/session-lookup';
import { checkExperiment } from '../submission/check-experiment';
import { checkPriority } from '../submission/check-priority';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { readDirectives } from '../submission/read-directives';
import { readLigands } from '../submission/read-ligands';
import { readSettings } from '../submission/read-settings';
import { newSessionId, sessionIdOfKey } from '../submission/session-id';
import { createPrepared, recordOf, runPrepared, unlessUnkept } from '../submission/start-session';
import { traced, type Submitted, type SubmissionRules } from '../submission/submit-session';
import { notTheirs } from '../submission/submitted-by';
import { refuseProblems } from './reopen-session';
import { changesOf, newsText } from './told-changes';

/** Who asks for what. */
interface AskedFork {
  readonly body: unknown;
  readonly key: string | undefined;
  readonly principal: Principal;
}

/** What is asked for: its shape is right, its settings and directives are not looked into. */
type Wish = Partial<ForkWish> & Pick<ForkWish, 'cycle'>;

/** A session as it stood after a cycle, and what is to continue from there. */
interface Forking {
  readonly parent: Session;
  readonly wish: Wish;
  /** As `ForkedFrom.asked`. */
  readonly asked: string;
  readonly id: string;
  readonly isKeyed: boolean;
  readonly principal: Principal;
}

/** @throws ApiError `request.invalid` */
const readWish = (body: unknown): Wish => {
  const problems = new ProblemList();
  const { cycle = 0, ...wish } = readBody(forkWishSchema, body, problems);
  refuseProblems(problems);
  return { cycle, ...wish };
};

const digestOf = (session: string, wish: Wish): string =>
  createHash('sha256')
    .update(canonicalJson({ session, ...wish }))
    .digest('hex');

/**
 * The fork that the key has started already.
 * @throws ApiError `idempotency.conflict`
 */
const replayOf = async (id: string, asked: string, rules: SubmissionRules): Promise<Submitted | undefined> => {
  const session = await rules.records.load(id);
  if (session === undefined) return undefined;
  if (session.request.forkedFrom?.asked === asked) {
    // The first request may have died between the record and the file.
    await unlessUnkept(id, () => rules.folder.writeNewSession(session), rules);
    return { session, replayed: true };
  }
  throw new ApiError(
    'idempotency.conflict',
    `The key belongs to session ${id}, which was started by another request.`,
    [{ field: 'Idempotency-Key', reason: `was used for session ${id}`, allowed: 'a new key, or the same body' }],
  );
};

/** @throws ApiError `cycle.not_finished` */
const checkFinished = (parent: Session, cycle: number): void => {
  const finished = analysedCycles(parent).map((record) => record.cycle);
  if (finished.includes(cycle)) return;
  const allowed = finished.length === 0 ? 'none yet' : finished.join(', ');
  throw new ApiError(
    'cycle.not_finished',
    `Session ${parent.id} has no finished cycle ${String(cycle)}, so nothing can continue after it.`,
    [{ field: 'cycle', reason: 'is not a cycle whose analysis is done', allowed, code: 'field.value' }],
  );
};

/** Records and results of the session become the fork's, so that whoever forks has to be allowed to read them, and to submit there. @throws ApiError `access.denied` */
const checkMay = async ({ request }: Session, principal: Principal, rules: SubmissionRules): Promise<void> => {
  const denial = denialOf(principal, 'session.download');
  if (denial !== undefined) throw denied(principal, 'session.download', denial);
  const { proposal, beamline } = request;
  if (!(await mayBegin(principal, 'session.submit', { proposal, beamline }, rules.beamlinesOf)))
    throw notTheirs(principal, proposal, beamline);
};

/** Ligands without a file: those that are given replace the old ones. */
const askedLigands = ({ parent, wish }: Forking, problems: ProblemList): Pick<SessionRequest, 'ligands'> =>
  readLigands(wish.ligands ?? parent.request.ligands, problems);

/** The request of the fork, whose files lie where those of the other session do. @throws ApiError `request.invalid` */
const requestOf = async (forking: Forking, rules: SubmissionRules): Promise<SessionRequest> => {
  const { parent, wish, asked, principal } = forking;
  const { request } = parent;
  const { proposal, beamline, inputs, directory, steering } = request;
  const problems = new ProblemList();
  const given = { ...request.settings, ...wish.settings };
  const settings = readSettings(given, rules.knowledge.programs, problems);
  const directives = readDirectives(wish.directives ?? request.directives, rules.knowledge, problems);
  checkExperiment(inputs, settings, true, problems);
  const asksFor = askedLigands(forking, problems);
  await checkInputs(request, principal, rules.readableBy, problems);
  const priority = wish.priority ?? request.priority;
  await checkPriority(principal, { priority, proposal, beamline }, rules, problems);
  refuseProblems(problems);
  return {
    title: wish.title === undefined || wish.title === '' ? request.title : wish.title,
    advice: wish.advice ?? request.advice,
    proposal,
    beamline,
    submitter: principal.id === '' ? request.submitter : principal.id,
    priority,
    settings,
    inputs,
    ...asksFor,
    ...(directives !== undefined && { directives }),
    ...(steering !== undefined && { steering }),
    ...(directory !== undefined && { directory }),
    forkedFrom: { session: parent.id, afterCycle: wish.cycle, asked },
  };
};

/** What was said after the cycle is new to the fork. */
const since = (guidance: Guidance, cycle: number): Guidance => {
  const { changedAfter } = guidance;
  return changedAfter === undefined ? guidance : { ...guidance, changedAfter: Math.min(changedAfter, cycle) };
};

/** What is asked for from now on, and whether somebody says it again. */
const guidanceAfter = (
  { parent, wish }: Forking,
  request: SessionRequest,
  { knowledge }: SubmissionRules,
  at: string,
): { readonly said: Guidance | undefined; readonly guidance: Guidance | undefined } => {
  // Whether the other session is to stop is nothing to its fork.
  const stood = {
    ...parent,
    status: 'cancelled' as const,
    cycles: parent.cycles.filter(({ cycle }) => cycle <= wish.cycle),
  };
  const { advice, advice_file: file } = wish;
  const words = {
    ...(advice !== undefined && { sources: sourcesOf(advice, file) }),
    ...(wish.directives !== undefined && { directives: request.directives ?? {} }),
  };
  const said = nextGuidance(stood, words, readerFor(knowledge, request), at);
  const kept = guidanceGoingOn(parent.guidance, at) ?? parent.guidance;
  return { said, guidance: said ?? (kept === undefined ? undefined : since(kept, wish.cycle)) };
};

const forkedEvent = ({ parent, wish }: Forking, fork: NewSession, files: number): SessionEvent => {
  const changes = changesOf(parent, fork);
  const from = `${parent.id} (${plainLine(parent.request.title)})`;
  return {
    type: 'session_forked',
    cycle: 0,
    at: fork.createdAt,
    message: `Forked from ${from} after cycle ${String(wish.cycle)}${newsText([], Object.keys(changes))}`,
    data: { session: parent.id, afterCycle: wish.cycle, changes, copied: files },
  };
};

/** The session that is to be, with its files where the other one has them. */
const plannedFork = async (forking: Forking, rules: SubmissionRules) => {
  const { parent, id } = forking;
  const createdAt = isoTime(rules.clock);
  const request = traced(await requestOf(forking, rules), rules);
  const { said, guidance } = guidanceAfter(forking, request, rules, createdAt);
  const folder = join(rules.workRoot, parent.request.proposal, id);
  const planned: NewSession = { id, folder, request, createdAt, ...(guidance !== undefined && { guidance }) };
  return { said, planned };
};

/** The same with the files in its own folder. */
const withWork = ({ parent, wish }: Forking, planned: NewSession, { pins }: CarriedFiles): NewSession => {
  const { inputs, cycles } = forkedWork(parent, wish.cycle, planned.folder, pins);
  const place = { status: 'running', stage: 'deciding', cycle: wish.cycle + 1, attempt: 1 } as const;
  return { ...planned, request: { ...planned.request, inputs }, resume: { ...place, cycles } };
};

const start = async (forking: Forking, rules: SubmissionRules): Promise<Submitted> => {
  const { parent, wish, asked, isKeyed } = forking;
  const { said, planned } = await plannedFork(forking, rules);
  const carried = await rules.folder.carryFiles(parent, wish.cycle, { ...planned, isKeyed });
  const fork = withWork(forking, planned, carried);
  const prepared = await rules.folder.prepareSession(recordOf(fork)).catch(async (error: unknown) => {
    await unlessUnkept(planned.id, () => carried.drop(), rules);
    throw error;
  });
  const events = [
    forkedEvent(forking, fork, carried.pins.size),
    ...(said === undefined ? [] : [adviceReadEvent(said, 0)]),
  ];
  // From here on the files may be those of a session, whatever the store answers: they stay.
  if ((await createPrepared(fork, events, prepared, rules)) === 'exists') {
    const earlier = await replayOf(fork.id, asked, rules);
    if (earlier !== undefined) return earlier;
  }
  return { session: await runPrepared(recordOf(fork), prepared, rules), replayed: false };
};

/**
 * Starts a session that continues from where another one stood after a cycle; that one stays as it is, and may continue running. What the fork
 * needs of it lies in the fork's own folder from the start (docs/adr/0040-forks-have-their-own-files.md).
 * @throws ApiError `session.not_found`, `request.invalid`, `cycle.not_finished`, `access.denied`, `idempotency.conflict`; a Fault
 * `fork.file_changed`, or of the disk: then nothing was started
 */
export const forkSession = async (
  rules: SubmissionRules,
  parentId: string,
  { body, key, principal }: AskedFork,
): Promise<Submitted> => {
  const wish = readWish(body);
  const parent = await findSession(rules.records, parentId);
  await checkMay(parent, principal, rules);
  const asked = digestOf(parent.id, wish);
  const id = key === undefined ? newSessionId(rules.clock.now()) : sessionIdOfKey(key, principal.id);
  const earlier = key === undefined ? undefined : await replayOf(id, asked, rules);
  if (earlier !== undefined) return earlier;
  checkFinished(parent, wish.cycle);
  return start({ parent, wish, asked, id, isKeyed: key !== undefined, principal }, rules);
};
