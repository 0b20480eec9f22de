import { isEnded, type Session, type SessionHead } from '@fleet/contracts';
import type { Clock, Reopening, ReopenResult, SessionFolderPort, SessionRecords } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';
import { entityTagOf, isKnown } from '../http/entity-tag';
import type { AgentKnowledge } from '../results/agent-knowledge';
import { findSession, noSession } from '../sessions/session-lookup';
import type { ReadableBy } from '../data-folders/readable-by';
import type { FileRules } from '../submission/inspect-files';
import type { LiveRules } from '../submission/check-priority';
import type { ProblemList } from '../submission/problem-list';

export const SESSION_TOOLS = Symbol('SessionTools');

/** What the session tools work with. */
export interface SessionTools {
  readonly records: SessionRecords;
  readonly folder: Pick<SessionFolderPort, 'prepareSession' | 'writeSession' | 'writeSummary'>;
  readonly clock: Clock;
  readonly summary: (session: Session) => string;
  /** Programs that a setting may name, and what their parameters may be set to. */
  readonly knowledge: Pick<AgentKnowledge, 'programs' | 'checkSettings' | 'readAdvice'>;
  /** How files that a resume adds are looked into. */
  readonly files: Omit<FileRules, 'readable'> & { readonly readableBy: ReadableBy };
  /** Who may be live. */
  readonly live: LiveRules;
  /** When the sweeper looks after a session whose wake-up was lost. */
  readonly dueInMs: number;
  readonly wake: (head: SessionHead) => Promise<void>;
  /** Hears of a change that was made and whose files could not be written just now. */
  readonly onUnkept: (sessionId: string, error: unknown) => void;
}

const changed = (id: string): ApiError =>
  new ApiError('session.changed', `Session ${id} has changed since you read it; read it again.`);

const notEnded = (id: string): ApiError =>
  new ApiError('session.not_ended', `Session ${id} has not ended; cancel it first, or wait.`);

/**
 * The session, as the client knows it.
 * @param ifMatch the entity tag that the client saw; absent: any
 * @throws ApiError `session.not_found` or `session.changed`
 */
export const findUnchanged = async (
  records: SessionRecords,
  id: string,
  ifMatch: string | undefined,
): Promise<Session> => {
  const session = await findSession(records, id);
  if (ifMatch !== undefined && !isKnown(ifMatch, entityTagOf(session))) throw changed(id);
  return session;
};

/**
 * The session, as the client knows it and not running.
 * @throws ApiError `session.not_ended`, or see `findUnchanged`
 */
export const findEnded = async (records: SessionRecords, id: string, ifMatch: string | undefined): Promise<Session> => {
  const session = await findUnchanged(records, id, ifMatch);
  if (!isEnded(session.status)) throw notEnded(id);
  return session;
};

/** Whether the session's folder takes a file at all is found out before anything changes, so that a refusal means that nothing did. */
const tryFolder = async ({ folder }: SessionTools, session: Session): Promise<void> => {
  await (await folder.prepareSession(session)).drop();
};

const refusalOf = (because: Extract<ReopenResult, { applied: false }>['because'], id: string): ApiError => {
  if (because === 'missing') return noSession(id);
  return because === 'purged'
    ? new ApiError('session.purged', `The files of session ${id} are being deleted.`)
    : changed(id);
};

/**
 * Applies the change; `session.json` and the summary follow the record, whatever they said before.
 * @throws ApiError `session.changed` when somebody was faster; a Fault when the session's folder cannot be written: then nothing has changed
 */
export const reopenSession = async (tools: SessionTools, reopening: Reopening): Promise<Session> => {
  const { records, folder, summary, onUnkept } = tools;
  await tryFolder(tools, await findSession(records, reopening.sessionId));
  const result = await records.reopen(reopening);
  if (!result.applied) throw refusalOf(result.because, reopening.sessionId);
  if (!isEnded(result.head.status)) await tools.wake(result.head);
  const session = await findSession(records, reopening.sessionId);
  try {
    await folder.writeSession(session);
    await folder.writeSummary(session, summary(session));
  } catch (error) {
    // The record has changed, and whoever asks again would change it twice.
    onUnkept(session.id, error);
  }
  return session;
};

/** @throws ApiError `request.invalid` with everything that is wrong */
export const refuseProblems = (problems: ProblemList): void => {
  if (!problems.isEmpty)
    throw new ApiError('request.invalid', 'The request is invalid; nothing was changed.', problems.all);
};
