import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { guidanceGoingOn, nextGuidance } from '@fleet/advice';
import { denialOf, denied, mayBegin, notTheirs } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import type { Guidance } from '@fleet/contracts/guidance';
import { routes } from '@fleet/contracts/routes';
import { canonicalJson } from '@fleet/contracts/service';
import {
  analysedCycles,
  type FilePin,
  type ForkRequest,
  type Session,
  type SessionEvent,
  type SessionRequest,
} from '@fleet/contracts/sessions';
import { forkedWork } from '@fleet/files';
import { isoTime, type NewSession } from '@fleet/ports';
import { collectBody, ProblemList, refuseProblems } from '@fleet/problems';
import { adviceReadEvent, plainLine } from '@fleet/session-report';
import { checkInputs } from '../request/check-inputs';
import { readerFor, sourcesOf } from '../request/advice-reading';
import { checkExperiment } from '../request/check-experiment';
import { checkPriority } from '../request/check-priority';
import { readDirectives } from '../request/read-directives';
import { readLigands } from '../request/read-ligands';
import { readSettings } from '../request/read-settings';
import { changesOf, changesText } from '../session/session-changes';
import { findSession } from '../session/find-session';
import type { SessionPorts } from '../session/session-ports';
import { newSessionId, sessionIdOfKey } from './session-id';
import { create, recordOf, run, traced, type Submitted } from './start-session';

/** The requested fork and its principal. */
interface ForkOrder {
  readonly body: unknown;
  readonly key: string | undefined;
  readonly principal: Principal;
}

/** A request for a fork: its shape is valid, its settings and directives are not checked yet. */
type ForkInput = Partial<ForkRequest> & Pick<ForkRequest, 'cycle'>;

/** A session after one of its cycles, and the fork that continues from there. */
interface Forking {
  readonly parent: Session;
  readonly order: ForkInput;
  /** As `SessionRequest.forkedFrom.requestDigest`. */
  readonly requestDigest: string;
  readonly id: string;
  readonly isKeyed: boolean;
  readonly principal: Principal;
}

/** @throws Fault `request.invalid` */
const readForkRequest = (body: unknown): ForkInput => {
  const problems = new ProblemList();
  const { cycle = 0, ...order } = collectBody(routes.sessionTools.fork, body, problems);
  refuseProblems(problems);
  return { cycle, ...order };
};

const digestOf = (session: string, order: ForkInput): string =>
  createHash('sha256')
    .update(canonicalJson({ session, ...order }))
    .digest('hex');

/**
 * The fork that the idempotency key has already started.
 * @throws Fault `idempotency.conflict`
 */
const replayOf = async (id: string, requestDigest: string, ports: SessionPorts): Promise<Submitted | undefined> => {
  const session = await ports.records.load(id);
  if (session === undefined) return undefined;
  if (session.request.forkedFrom?.requestDigest === requestDigest) return { session, replayed: true };
  throw new Fault(
    'idempotency.conflict',
    'conflict',
    `The key belongs to session ${id}, which was started by another request.`,
    {
      problems: [{ field: 'key', reason: `was used for session ${id}`, allowed: 'a new key, or the same body' }],
    },
  );
};

/** @throws Fault `cycle.not_finished` */
const checkFinished = (parent: Session, cycle: number): void => {
  const finished = analysedCycles(parent).map((record) => record.cycle);
  if (finished.includes(cycle)) return;
  const allowed = finished.length === 0 ? 'none yet' : finished.join(', ');
  throw new Fault('cycle.not_finished', 'conflict', `Session ${parent.id} has no finished cycle ${String(cycle)}.`, {
    problems: [{ field: 'cycle', reason: 'is not a finished cycle', allowed, code: 'field.value' }],
  });
};

/**
 * The fork copies records and results of the session, so the principal needs permission to read them and to submit there. @throws Fault
 * `access.denied`
 */
const checkMay = async ({ request }: Session, principal: Principal, ports: SessionPorts): Promise<void> => {
  const denial = denialOf(principal, 'session.download');
  if (denial !== undefined) throw denied(principal, 'session.download', denial);
  const { proposal, beamline } = request;
  if (!(await mayBegin(principal, 'session.submit', { proposal, beamline }, (name) => ports.members.beamlinesOf(name))))
    throw notTheirs(principal, proposal, beamline);
};

/** Requested ligands: given ones replace the old ones. */
const requestedLigands = ({ parent, order }: Forking, problems: ProblemList): Pick<SessionRequest, 'ligands'> =>
  readLigands(order.ligands ?? parent.request.ligands, problems);

/** The request of the fork, with its files still in the original session's folder. @throws Fault `request.invalid` */
const requestOf = async (forking: Forking, ports: SessionPorts): Promise<SessionRequest> => {
  const { parent, order, requestDigest, principal } = forking;
  const { request } = parent;
  const { proposal, beamline, inputs, directory, steering } = request;
  const problems = new ProblemList();
  const given = { ...request.settings, ...order.settings };
  const settings = readSettings(given, ports.knowledge.programs, problems);
  const directives = readDirectives(order.directives ?? request.directives, ports.knowledge, problems);
  checkExperiment(inputs, settings, true, problems);
  const asksFor = requestedLigands(forking, problems);
  await checkInputs(request, principal, ports.readableBy, problems);
  const priority = order.priority ?? request.priority;
  await checkPriority(principal, { priority, proposal, beamline }, ports, problems);
  refuseProblems(problems);
  return {
    title: order.title === undefined || order.title === '' ? request.title : order.title,
    advice: order.advice ?? request.advice,
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
    forkedFrom: { session: parent.id, afterCycle: order.cycle, requestDigest },
  };
};

/** Advice after the forked cycle counts as new in the fork. */
const since = (guidance: Guidance, cycle: number): Guidance => {
  const { changedAfter } = guidance;
  return changedAfter === undefined ? guidance : { ...guidance, changedAfter: Math.min(changedAfter, cycle) };
};

/** The guidance of the fork, and whether the request repeats it. */
const guidanceAfter = (
  { parent, order }: Forking,
  request: SessionRequest,
  { knowledge }: SessionPorts,
  at: string,
): { readonly newGuidance: Guidance | undefined; readonly guidance: Guidance | undefined } => {
  // A stop request of the original session does not apply to its fork.
  const stood = {
    ...parent,
    status: 'cancelled' as const,
    cycles: parent.cycles.filter(({ cycle }) => cycle <= order.cycle),
  };
  const { advice, advice_file: file } = order;
  const words = {
    ...(advice !== undefined && { sources: sourcesOf(advice, file) }),
    ...(order.directives !== undefined && { directives: request.directives ?? {} }),
  };
  const newGuidance = nextGuidance(stood, words, readerFor(knowledge, request), at);
  const parentGuidance = guidanceGoingOn(parent.guidance, at) ?? parent.guidance;
  return {
    newGuidance,
    guidance: newGuidance ?? (parentGuidance === undefined ? undefined : since(parentGuidance, order.cycle)),
  };
};

const forkedEvent = ({ parent, order }: Forking, fork: NewSession, files: number): SessionEvent => {
  const changes = changesOf(parent, fork);
  const from = `${parent.id} (${plainLine(parent.request.title)})`;
  return {
    type: 'session_forked',
    cycle: 0,
    at: fork.createdAt,
    message: `Forked from ${from} after cycle ${String(order.cycle)}${changesText([], Object.keys(changes))}`,
    data: { session: parent.id, afterCycle: order.cycle, changes, copied: files },
  };
};

/** The future session, with its files in the original folder. */
const plannedFork = async (forking: Forking, ports: SessionPorts) => {
  const { parent, id } = forking;
  const createdAt = isoTime(ports.clock);
  const request = traced(await requestOf(forking, ports), ports);
  const { newGuidance, guidance } = guidanceAfter(forking, request, ports, createdAt);
  const folder = join(ports.limits.workRoot, parent.request.proposal, id);
  const planned: NewSession = { id, folder, request, createdAt, ...(guidance !== undefined && { guidance }) };
  return { newGuidance, planned };
};

/** The same with the files in its own folder. */
const withWork = ({ parent, order }: Forking, planned: NewSession, pins: ReadonlyMap<string, FilePin>): NewSession => {
  const { inputs, cycles } = forkedWork(parent, order.cycle, planned.folder, pins);
  const position = { status: 'running', stage: 'deciding', cycle: order.cycle + 1, attempt: 1 } as const;
  return { ...planned, request: { ...planned.request, inputs }, resume: { ...position, cycles } };
};

const start = async (forking: Forking, ports: SessionPorts): Promise<Submitted> => {
  const { parent, order, requestDigest, isKeyed } = forking;
  const { newGuidance, planned } = await plannedFork(forking, ports);
  await ports.folder.tryFolder(recordOf(planned));
  const carried = await ports.folder.carryFiles(parent, order.cycle, { ...planned, isKeyed });
  const fork = withWork(forking, planned, carried);
  const events = [
    forkedEvent(forking, fork, carried.size),
    ...(newGuidance === undefined ? [] : [adviceReadEvent(newGuidance, 0)]),
  ];
  // From here on the files may belong to a session, whatever the store returns: they stay.
  if ((await create(fork, events, ports)) === 'exists') {
    const earlier = await replayOf(fork.id, requestDigest, ports);
    if (earlier !== undefined) return earlier;
  }
  return { session: await run(recordOf(fork), ports), replayed: false };
};

/**
 * Starts a session that continues from a cycle of another one. The original session does not change, and may continue running. Everything
 * that the fork needs is in its own folder from the start (docs/adr/0040-forks-have-their-own-files.md).
 */
export class ForkSession {
  constructor(private readonly ports: SessionPorts) {}

  /**
   * @throws Fault `session.not_found`, `request.invalid`, `cycle.not_finished`, `access.denied`, `idempotency.conflict`, `fork.file_changed`,
   * or a storage Fault: then nothing was started
   */
  async run(parentId: string, { body, key, principal }: ForkOrder): Promise<Submitted> {
    const order = readForkRequest(body);
    const parent = await findSession(this.ports.records, parentId);
    await checkMay(parent, principal, this.ports);
    const requestDigest = digestOf(parent.id, order);
    const id = key === undefined ? newSessionId(this.ports.clock.now()) : sessionIdOfKey(key, principal.id);
    const earlier = key === undefined ? undefined : await replayOf(id, requestDigest, this.ports);
    if (earlier !== undefined) return earlier;
    checkFinished(parent, order.cycle);
    return start({ parent, order, requestDigest, id, isKeyed: key !== undefined, principal }, this.ports);
  }
}
