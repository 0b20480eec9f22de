import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { guidanceGoingOn, nextGuidance, type NewGuidance } from '@fleet/advice';
import type { Principal } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import type { Guidance } from '@fleet/contracts/guidance';
import type { Session, SessionEvent, SessionFile, SessionRequest } from '@fleet/contracts/sessions';
import { isoTime, type SessionWaker } from '@fleet/ports';
import { ProblemList, refuseProblems } from '@fleet/problems';
import { adviceReadEvent, progressOf } from '@fleet/session-report';
import { readerFor, sourcesOf } from '../request/advice-reading';
import { checkExperiment } from '../request/check-experiment';
import { checkInputs } from '../request/check-inputs';
import { fileRulesOf, inspectFiles } from '../request/inspect-files';
import { readDirectives } from '../request/read-directives';
import { readLigands } from '../request/read-ligands';
import { readSettings } from '../request/read-settings';
import { findEnded, type IsSeen } from '../session/find-session';
import type { SessionPorts } from '../session/session-ports';
import { changesOf, changesText, type GuidedState } from '../session/session-changes';
import { readResumption, type Resumption } from './read-resumption';
import { reopenSession } from './reopen-session';

/** The requested resume and its principal. */
interface ResumeOrder {
  readonly body: unknown;
  readonly isSeen?: IsSeen;
  readonly principal: Principal;
}

/** The number of the next cycle: the current one if nothing was decided in it. Used numbers are never reused. */
const nextCycle = ({ cycle, cycles, stop }: Session): number => {
  const used = stop?.reason === 'cycles_removed' || cycles.some((record) => record.cycle === cycle);
  return used ? cycle + 1 : cycle;
};

/** New or changed files of the request. */
const addedTo = ({ inputs: before }: SessionRequest, { inputs }: SessionRequest): readonly string[] =>
  inputs.filter((file) => !before.some((old) => isDeepStrictEqual(old, file))).map(({ path }) => basename(path));

const resumedEvent = (session: Session, after: GuidedState, cycle: number, at: string): SessionEvent => {
  const changes = changesOf(session, after);
  const added = addedTo(session.request, after.request);
  const stop = session.stop === undefined ? null : { reason: session.stop.reason, detail: session.stop.detail };
  return {
    type: 'session_resumed',
    cycle,
    at,
    message: `Resumed at cycle ${String(cycle)}${changesText(added, Object.keys(changes))}`,
    data: { changes, stop, ...(added.length > 0 && { files: added }) },
  };
};

/** The files from now on; an existing file is replaced with its current version. */
const inputsAfter = (before: readonly SessionFile[], added: readonly SessionFile[]): readonly SessionFile[] => {
  const again = new Map(added.map((file) => [file.path, file]));
  const known = new Set(before.map(({ path }) => path));
  return [...before.map((file) => again.get(file.path) ?? file), ...added.filter(({ path }) => !known.has(path))];
};

/** Settings, files and ligands as they were submitted; kept from the first resume that changes them. */
const submittedAsOf = (
  { submittedAs, settings, inputs, ligands }: SessionRequest,
  after: Pick<SessionRequest, 'settings' | 'inputs' | 'ligands'>,
): Pick<SessionRequest, 'submittedAs'> => {
  const submittedLigands = { ligands: ligands ?? [] };
  if (submittedAs !== undefined) return { submittedAs: { ...submittedLigands, ...submittedAs } };
  const { settings: newSettings, inputs: newInputs, ligands: newLigands } = after;
  if (isDeepStrictEqual([settings, inputs, ligands], [newSettings, newInputs, newLigands])) return {};
  return { submittedAs: { settings, files: inputs.map(({ path }) => path), ...submittedLigands } };
};

/** The request after the change. Problems are added to `problems`; the result is then invalid. */
const requestAfter = async (
  request: SessionRequest,
  given: Resumption,
  ports: SessionPorts,
  principal: Principal,
  problems: ProblemList,
): Promise<SessionRequest> => {
  await checkInputs(request, principal, ports.readableBy, problems);
  const added = await inspectFiles(given.files, fileRulesOf(ports, principal), problems, request.inputs.length);
  const inputs = inputsAfter(request.inputs, added);
  const settings = readSettings({ ...request.settings, ...given.settings }, ports.knowledge.programs, problems);
  checkExperiment(inputs, settings, added.length === given.files.length, problems);
  const { ligands: before, ...rest } = request;
  const ligandMembers = readLigands(given.ligands ?? before, problems);
  const after = { ...rest, inputs, settings, ...ligandMembers };
  return { ...after, ...submittedAsOf(request, after) };
};

/** Whether the resume repeats the guidance. */
const newGuidanceIn = (
  { advice, adviceFile, directives }: Resumption,
  ports: SessionPorts,
  problems: ProblemList,
): NewGuidance => ({
  ...(advice !== undefined && { sources: sourcesOf(advice, adviceFile) }),
  ...(directives !== undefined && { directives: readDirectives(directives, ports.knowledge, problems) ?? {} }),
});

/** An ended session cannot be stopped again. */
const checkContinues = ({ id, status }: Session, guidance: Guidance | undefined): void => {
  if (guidance?.endsAfter === undefined) return;
  throw new Fault(
    'session.ended',
    'conflict',
    `Session ${id} has already ended: it is ${status}. There is nothing to stop.`,
  );
};

/**
 * Resumes an ended session at its next cycle, with this request and guidance.
 * @param newGuidance absent: the guidance stays
 * @throws Fault `session.changed`, or `session.ended` if the advice was only "stop"
 */
export const reopenWith = async (
  ports: SessionPorts,
  session: Session,
  { request, newGuidance }: { readonly request: SessionRequest; readonly newGuidance: Guidance | undefined },
): Promise<Session> => {
  checkContinues(session, newGuidance);
  const at = isoTime(ports.clock);
  const guidance = newGuidance ?? guidanceGoingOn(session.guidance, at);
  const after = { ...session, request, ...(guidance !== undefined && { guidance }) };
  const cycle = nextCycle(session);
  return reopenSession(ports, {
    sessionId: session.id,
    fromVersion: session.version,
    to: { stage: 'deciding', cycle, attempt: 1 },
    request,
    ...(guidance !== undefined && { guidance }),
    progress: progressOf(after),
    events: [
      resumedEvent(session, after, cycle, at),
      ...(newGuidance === undefined ? [] : [adviceReadEvent(newGuidance, cycle)]),
    ],
    dueInMs: ports.limits.dueInMs,
  });
};

/** Resumes an ended session at its next cycle, optionally with new advice, directives or settings, and more files and ligands. */
export class ResumeSession {
  constructor(private readonly ports: SessionPorts) {}

  /** @throws Fault `request.invalid` with all problems, or see `findEnded` and `reopenWith` */
  async run(id: string, { body, isSeen, principal }: ResumeOrder): Promise<Session> {
    const { records, knowledge, clock } = this.ports;
    const session = await findEnded(records, id, isSeen);
    const problems = new ProblemList();
    const given = readResumption(body, problems);
    const request = await requestAfter(session.request, given, this.ports, principal, problems);
    const advised = newGuidanceIn(given, this.ports, problems);
    refuseProblems(problems);
    const next = nextGuidance(session, advised, readerFor(knowledge, request), isoTime(clock));
    return reopenWith(this.ports, session, { request, newGuidance: next });
  }

  /**
   * Resumes an unchanged ended session after a delay.
   * @param waker called instead of the queue
   * @returns false if the session no longer has this version
   * @throws Fault see `findEnded` and `reopenWith`
   */
  async later(id: string, version: number, dueInMs: number, waker: SessionWaker): Promise<boolean> {
    const session = await findEnded(this.ports.records, id);
    if (session.version !== version) return false;
    const ports = { ...this.ports, waker, limits: { ...this.ports.limits, dueInMs } };
    await reopenWith(ports, session, { request: session.request, newGuidance: undefined });
    return true;
  }
}
