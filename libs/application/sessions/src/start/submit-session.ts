import { basename, join } from 'node:path';
import { firstGuidance } from '@fleet/advice';
import type { Principal } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import type { Guidance } from '@fleet/contracts/guidance';
import { ligandText, type Session, type SessionEvent, type SessionRequest } from '@fleet/contracts/sessions';
import { isoTime, type NewSession } from '@fleet/ports';
import { ProblemList } from '@fleet/problems';
import { adviceReadEvent, counted, guidanceSentences } from '@fleet/session-report';
import { readerFor, sourcesOf } from '../request/advice-reading';
import { checkExperiment } from '../request/check-experiment';
import { checkPriority } from '../request/check-priority';
import { fileRulesOf } from '../request/inspect-files';
import { readDirectives } from '../request/read-directives';
import { readSettings } from '../request/read-settings';
import type { SessionPorts } from '../session/session-ports';
import { isSameSubmission, titleOf } from './same-submission';
import { newSessionId, sessionIdOfKey } from './session-id';
import { create, recordOf, run, traced, type Submitted } from './start-session';
import { readSubmissionBody, type SubmissionBody } from './submission-body';
import { submittedBy } from './submitted-by';
import { directoryNote, submittedInputs, type SubmittedInputs } from './submitted-inputs';

/** A valid submission that has not been started. */
export interface ReadySubmission {
  /** The session that it will become. */
  readonly session: Session;
  /**
   * Everything that may fail on the disk is done before the session exists, so a refusal means that nothing runs, and later steps cannot
   * refuse.
   * @throws Fault `idempotency.conflict`, or a Fault of the store
   */
  readonly start: () => Promise<Submitted>;
}

/** Starts it, unless its key has already started it. */
export const startSubmission = (ready: Submitted | ReadySubmission): Promise<Submitted> =>
  'start' in ready ? ready.start() : Promise.resolve(ready);

/** A valid submission. */
interface Accepted {
  readonly request: SessionRequest;
  readonly found: SubmittedInputs;
}

/** Starts a session from a submission, or reports its problems. */
export class SubmitSession {
  constructor(private readonly ports: SessionPorts) {}

  /**
   * Validates a submission as `ready` does, without starting it.
   * @returns the session that it would start
   * @throws Fault `access.denied` or `submission.invalid` with all problems
   */
  async check(submission: unknown, principal: Principal): Promise<Session> {
    const problems = new ProblemList();
    const body = await this.bodyOf(submission, principal, problems);
    const accepted = await this.accept(body, problems, principal);
    const session = recordOf(this.newSession(newSessionId(this.ports.clock.now()), body, accepted));
    this.checkUses(session, body);
    return session;
  }

  /**
   * Validates a submission up to the start of its session; or returns the session that its key has already started.
   * @param batch id of its batch, if it is a row
   * @throws Fault `access.denied` for another's proposal, `submission.invalid` with all problems, or `idempotency.conflict`
   */
  async ready(
    submission: unknown,
    key: string | undefined,
    principal: Principal,
    batch?: string,
  ): Promise<Submitted | ReadySubmission> {
    const problems = new ProblemList();
    const body = await this.bodyOf(submission, principal, problems);
    const id = key === undefined ? newSessionId(this.ports.clock.now()) : sessionIdOfKey(key, principal.id);
    if (key !== undefined && problems.isEmpty) {
      const earlier = await this.replay(id, body, principal);
      if (earlier !== undefined) return earlier;
    }
    const accepted = await this.accept(body, problems, principal, batch);
    const session = this.newSession(id, body, accepted);
    this.checkUses(recordOf(session), body);
    return { session: recordOf(session), start: () => this.start(session, body, accepted, principal) };
  }

  private bodyOf(submission: unknown, principal: Principal, problems: ProblemList): Promise<SubmissionBody> {
    return submittedBy(principal, readSubmissionBody(submission, problems), problems, this.ports.members);
  }

  private async replay(id: string, body: SubmissionBody, principal: Principal): Promise<Submitted | undefined> {
    const { records, knowledge, readableBy } = this.ports;
    const session = await records.load(id);
    if (session === undefined) return undefined;
    if (await isSameSubmission(session.request, body, knowledge, readableBy(principal)))
      return { session, replayed: true };
    throw new Fault(
      'idempotency.conflict',
      'conflict',
      `The key belongs to session ${id}, which was submitted with another body.`,
      {
        problems: [{ field: 'key', reason: `was used for session ${id}`, allowed: 'a new key, or the same body' }],
      },
    );
  }

  private async accept(
    body: SubmissionBody,
    problems: ProblemList,
    principal: Principal,
    batch?: string,
  ): Promise<Accepted> {
    const { knowledge } = this.ports;
    const settings = readSettings(body.settings, knowledge.programs, problems);
    const directives = readDirectives(body.directives, knowledge, problems);
    const found = await submittedInputs(body, fileRulesOf(this.ports, principal), problems);
    const { inputs, complete, directory } = found;
    checkExperiment(inputs, settings, complete, problems);
    await checkPriority(principal, body, this.ports, problems);
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
  }

  private newSession(id: string, body: SubmissionBody, accepted: Accepted): NewSession {
    const request = traced(accepted.request, this.ports);
    const folder = join(this.ports.limits.workRoot, request.proposal, id);
    const createdAt = isoTime(this.ports.clock);
    const guidance = this.guidanceOf(body, accepted, createdAt);
    return { id, folder, request, createdAt, ...(guidance !== undefined && { guidance }) };
  }

  /** The guidance, read before anything that depends on it. */
  private guidanceOf(
    { advice, adviceFile }: SubmissionBody,
    { request, found }: Accepted,
    at: string,
  ): Guidance | undefined {
    const sources = [...sourcesOf(advice, adviceFile), ...(found.readme === undefined ? [] : [found.readme])];
    const { directives } = request;
    return firstGuidance({ sources, ...(directives && { directives }) }, readerFor(this.ports.knowledge, request), at);
  }

  /** With `strict`, an unused file refuses the submission. */
  private checkUses(session: Session, { strict }: SubmissionBody): void {
    if (!strict) return;
    const problems = new ProblemList();
    this.ports.knowledge.fileUses(session).forEach(({ used, path, text }, index) => {
      if (used) return;
      const reason = `${basename(path)} would not be used: ${text}`;
      problems.add('files.unused', `files[${String(index)}]`, reason, 'a submission without it, or without strict');
    });
    if (!problems.isEmpty) refuse(problems);
  }

  private async start(
    session: NewSession,
    body: SubmissionBody,
    accepted: Accepted,
    principal: Principal,
  ): Promise<Submitted> {
    const { id, guidance, createdAt } = session;
    const read = guidance === undefined ? [] : [adviceReadEvent(guidance, 0)];
    const events = [submittedEvent(accepted, guidance, createdAt), ...read];
    await this.ports.folder.tryFolder(recordOf(session));
    if ((await create(session, events, this.ports)) === 'exists') {
      // A concurrent request with the same key was faster.
      const earlier = await this.replay(id, body, principal);
      if (earlier !== undefined) return earlier;
    }
    return { session: await run(recordOf(session), this.ports), replayed: false };
  }
}

const refuse = (problems: ProblemList): never => {
  const many = problems.count === 1 ? 'There is one problem' : `${String(problems.count)} problems`;
  throw new Fault('submission.invalid', 'caller', `${many} with this submission; nothing was started.`, {
    problems: problems.all,
  });
};

const submittedEvent = ({ request, found }: Accepted, guidance: Guidance | undefined, at: string): SessionEvent => ({
  type: 'session_submitted',
  cycle: 0,
  at,
  message: `${request.title}: ${counted(request.inputs.length, 'file')} submitted${directoryNote(found)}`,
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
