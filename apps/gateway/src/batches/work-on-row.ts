import { Logger } from '@nestjs/common';
import {
  failureText,
  isFault,
  isTransient,
  priorities,
  type ApiProblem,
  type EarlierSession,
  type FileUse,
  type FirstStep,
  type Session,
  type SessionEvent,
} from '@fleet/contracts';
import { submissionOfRow, type ManifestRow } from '@fleet/manifest';
import { contentDigests } from '@fleet/files';
import { isoTime, type ClaimedRows, type RowOutcome } from '@fleet/ports';
import { isApiError } from '../errors/problem-details';
import { sessionIdOfKey } from '../submission/session-id';
import { similarSessions, stands } from '../submission/similar-sessions';
import { checkSubmission, readySubmission, startSubmission } from '../submission/submit-session';
import type { BatchRules } from './batch-rules';
import { principalOfRows } from './principal-of-rows';

const logger = new Logger('BatchRows');

/** Others need the service as well: the row waits. */
const busy: ReadonlySet<string> = new Set(['inspection.busy', 'decisions.busy', 'service.unavailable']);

/** Problems of one row that are kept. */
const maxProblems = 20;

/** What is to be done with a row now. `finished`: nothing. `later`: again, for the reason has nothing to do with it. */
export type RowWork = RowOutcome | 'finished' | 'later';

type ClaimedRow = ClaimedRows['rows'][number];

/**
 * The session of a run of a row follows from what the row says, so that a run that is started twice is one session: whatever dies, whoever
 * repeats it, and also where the batch is made again with the same key after the store was lost. No header can hold a blank, so that no client
 * can name this key.
 */
const keyOf = ({ batch }: ClaimedRows, { digest, run }: ClaimedRow): string =>
  `batch ${batch.id} ${digest} ${String(run)}`;

const rejected = (problems: readonly ApiProblem[]): RowOutcome => {
  const told = problems.slice(0, maxProblems);
  const more = problems.length - told.length;
  const rest = { field: 'row', reason: `${String(more)} more things are wrong`, code: 'problems.more' };
  return { verdict: 'rejected', problems: more > 0 ? [...told, rest] : told };
};

const outcomeOfError = (error: unknown, taken: ClaimedRows, row: ClaimedRow): RowWork => {
  if (isApiError(error)) {
    if (error.code === 'submission.invalid') return rejected(error.problems);
    // Its session was made when its files were called otherwise, or before the batch was given another priority.
    if (error.code === 'idempotency.conflict')
      return { verdict: 'accepted', session: sessionIdOfKey(keyOf(taken, row), principalOfRows(taken.batch).id) };
    if (busy.has(error.code)) return 'later';
  }
  if (isTransient(error)) return 'later';
  if (isFault(error) && error.kind === 'caller')
    return rejected([{ field: 'row', reason: error.message, code: error.code }]);
  logger.error({ message: 'a row of a batch failed', batch: taken.batch.id, row: row.row, err: error });
  const reason = 'the service failed at this row; its log says why. Run it again when that is fixed';
  return rejected([{ field: 'row', reason, code: 'service.error' }]);
};

/** A submission is valid whether or not it can be said what it would do first. */
export const firstStepOf = async (
  session: Session,
  { firstStep }: Pick<BatchRules, 'firstStep'>,
): Promise<FirstStep | undefined> => {
  try {
    return await firstStep(session);
  } catch (error) {
    if (isApiError(error) && busy.has(error.code)) throw error;
    logger.warn({ message: 'it is unknown what a submission would do first', reason: failureText(error) });
    return undefined;
  }
};

interface Known {
  readonly earlier?: EarlierSession;
  readonly unused?: readonly FileUse[];
  readonly isSkipped: boolean;
}

/** Whether a row is started only where its like was not. One that is run again is wanted all the same. */
const skips = ({ batch }: ClaimedRows, { run }: ClaimedRow): boolean => batch.duplicates === 'skip' && run === 0;

/** A session as it began: who looks at a row again may find that its session has continued, and says the same of it. */
const asSubmitted = (session: Session): Session => ({ ...session, status: 'running', cycles: [] });

/** What is known of the data of a row: its like, and files of it that nothing uses. */
const knownOf = async (
  session: Session,
  taken: ClaimedRows,
  row: ClaimedRow,
  { index, submission }: BatchRules,
): Promise<Known> => {
  const similar = await similarSessions(session, index, principalOfRows(taken.batch));
  const standing = skips(taken, row) ? similar.find(stands) : undefined;
  const told = standing ?? similar[0];
  const earlier = told === undefined ? {} : { earlier: { session: told.sessionId, same: told.same } };
  const unused = submission.knowledge.fileUses(asSubmitted(session)).filter(({ used }) => !used);
  return { ...earlier, ...(unused.length > 0 && { unused }), isSkipped: standing !== undefined };
};

/** Of a row that is never started its first step is told as well. */
const checked = async (body: unknown, taken: ClaimedRows, row: ClaimedRow, rules: BatchRules): Promise<RowWork> => {
  const { batch } = taken;
  const session = await checkSubmission(body, rules.submission, principalOfRows(batch));
  const { isSkipped, ...known } = await knownOf(session, taken, row, rules);
  if (isSkipped) return { verdict: 'duplicate', ...known };
  const first = batch.start === 'never' ? await firstStepOf(session, rules) : undefined;
  const { priority } = session.request;
  return { verdict: 'checked', ...known, ...(first !== undefined && { first: { ...first, priority } }) };
};

/** Milliseconds for which others that are the same wait for a row that is about to be started; who dies with it keeps them no longer. */
const holdMs = 30_000;

/** Of rows that are the same and are looked at in the same moment one starts, and the others see its session. */
const isHeld = async (session: Session, { batches }: BatchRules): Promise<boolean> => {
  const content = contentDigests(session);
  return content !== undefined && !(await batches.holdContent(content.everything, session.id, holdMs));
};

const started = async (body: unknown, taken: ClaimedRows, row: ClaimedRow, rules: BatchRules): Promise<RowWork> => {
  const { batch } = taken;
  const ready = await readySubmission(body, keyOf(taken, row), rules.submission, principalOfRows(batch), batch.id);
  const { isSkipped, ...known } = await knownOf(ready.session, taken, row, rules);
  if ('start' in ready) {
    if (isSkipped) return { verdict: 'duplicate', ...known };
    if (skips(taken, row) && (await isHeld(ready.session, rules))) return 'later';
  }
  const { session } = await startSubmission(ready);
  return { verdict: 'accepted', session: session.id, ...known };
};

/** With the priority that the batch was given later. One that does not exist is left to the checks, which say so. */
const bodyWith = (body: Readonly<Record<string, unknown>>, { priority }: ClaimedRows): object => {
  const said = body.priority;
  if (priority === undefined || (said !== undefined && !priorities.some((known) => known === said))) return body;
  return { ...body, priority };
};

const attempt = async (taken: ClaimedRows, row: ClaimedRow, rules: BatchRules): Promise<RowWork> => {
  const { batch, starts } = taken;
  const submission = submissionOfRow(JSON.parse(row.content ?? '{}') as ManifestRow, batch);
  if ('problems' in submission)
    return rejected(submission.problems.map((problem) => ({ ...problem, code: 'field.value' })));
  const body = bodyWith(submission.body, taken);
  if (!starts) return row.verdict === 'checked' ? 'finished' : checked(body, taken, row, rules);
  // A batch may have thousands of sessions: each has a trace of its own.
  const span = rules.submission.tracing.begin({ name: 'batch.row' });
  try {
    return await span.within(() => started(body, taken, row, rules));
  } finally {
    span.end();
  }
};

const cancelSession = async (id: string, { submission, clock }: BatchRules): Promise<void> => {
  const head = await submission.records.loadHead(id);
  if (head?.status !== 'running') return;
  const event: SessionEvent = {
    type: 'session_cancelling',
    cycle: head.cycle,
    at: isoTime(clock),
    message: 'The cancellation of the batch of this session was requested',
    data: {},
  };
  if ((await submission.records.requestCancel(id, event)) !== 'cancelling') return;
  const cancelling = await submission.records.loadHead(id);
  if (cancelling !== undefined) await submission.wake(cancelling);
};

const cancelRow = async ({ verdict, session }: ClaimedRow, rules: BatchRules): Promise<RowWork> => {
  if (verdict === 'waiting' || verdict === 'checked') return { verdict: 'cancelled' };
  if (session !== undefined) await cancelSession(session, rules);
  return 'finished';
};

/** Does what a row is due for. May be done twice, at any time, by any gateway. */
export const workOnRow = async (taken: ClaimedRows, row: ClaimedRow, rules: BatchRules): Promise<RowWork> => {
  try {
    if (taken.status === 'cancelled') return await cancelRow(row, rules);
    if (row.content === undefined || (row.verdict !== 'waiting' && row.verdict !== 'checked')) return 'finished';
    return await attempt(taken, row, rules);
  } catch (error) {
    return outcomeOfError(error, taken, row);
  }
};
