import type { EarlierSession } from '@fleet/contracts/batches';
import { isFault, isTransient } from '@fleet/contracts/faults';
import { priorities } from '@fleet/contracts/launches';
import type { ApiProblem, FileUse, Session } from '@fleet/contracts/sessions';
import { submissionOfRow, type ManifestRow } from '@fleet/manifest';
import { contentDigests } from '@fleet/files';
import type { ClaimedRows, RowOutcome } from '@fleet/ports';
import { counted } from '@fleet/session-report';
import { sessionIdOfKey, similarSessions, stands, startSubmission } from '@fleet/sessions';
import type { BatchPorts } from './batch-ports';
import { principalOfRows } from './principal-of-rows';

/** Maximum number of problems stored per row. */
const maxProblems = 20;

/** The result of processing a row. `finished`: nothing to do. `later`: retry, because the cause is not the row. */
export type RowWork = RowOutcome | 'finished' | 'later';

type ClaimedRow = ClaimedRows['rows'][number];

/**
 * The idempotency key of a row's session is derived from its content, so that a run that is started twice is one session: after any crash or
 * retry, and also if the batch is created again with the same key after the store was lost. Headers cannot contain a blank, so no client can
 * use this key.
 */
const keyOf = ({ batch }: ClaimedRows, { digest, run }: ClaimedRow): string =>
  `batch ${batch.id} ${digest} ${String(run)}`;

const rejected = (problems: readonly ApiProblem[]): RowOutcome => {
  const listed = problems.slice(0, maxProblems);
  const more = problems.length - listed.length;
  const rest = { field: 'row', reason: counted(more, 'more problem'), code: 'problems.more' };
  return { state: 'rejected', problems: more > 0 ? [...listed, rest] : listed };
};

interface SimilarData {
  readonly earlier?: EarlierSession;
  readonly unused?: readonly FileUse[];
  readonly isSkipped: boolean;
}

/** Whether a row with an existing equivalent is skipped. A row that is run again is always started. */
const skips = ({ batch }: ClaimedRows, { run }: ClaimedRow): boolean => batch.duplicates === 'skip' && run === 0;

/** A session as submitted: it may have continued since the row was first processed, and the result must be the same. */
const asSubmitted = (session: Session): Session => ({ ...session, status: 'running', cycles: [] });

/** Milliseconds for which identical rows wait for one that is about to be started; limits the delay after a crash. */
const holdMs = 30_000;

/** With the later priority of the batch. An invalid one is left to the validation, which reports it. */
const bodyWith = (body: Readonly<Record<string, unknown>>, { priority }: ClaimedRows): object => {
  const rowPriority = body.priority;
  if (priority === undefined || (rowPriority !== undefined && !priorities.some((known) => known === rowPriority)))
    return body;
  return { ...body, priority };
};

/** Checks a due row of a batch, starts its session, or cancels it. */
export class WorkOnRow {
  constructor(private readonly ports: BatchPorts) {}

  /** May be repeated at any time, by any gateway. */
  async run(taken: ClaimedRows, row: ClaimedRow): Promise<RowWork> {
    try {
      if (taken.status === 'cancelled') return await this.cancel(row);
      if (row.content === undefined || (row.state !== 'waiting' && row.state !== 'checked')) return 'finished';
      return await this.attempt(taken, row, row.content);
    } catch (error) {
      return this.outcomeOf(error, taken, row);
    }
  }

  private async cancel({ state, session }: ClaimedRow): Promise<RowWork> {
    if (state === 'waiting' || state === 'checked') return { state: 'cancelled' };
    if (session !== undefined) await this.ports.cancelling.ofBatch(session);
    return 'finished';
  }

  private async attempt(taken: ClaimedRows, row: ClaimedRow, content: string): Promise<RowWork> {
    const { batch, starts } = taken;
    const submission = submissionOfRow(JSON.parse(content) as ManifestRow, batch);
    if ('problems' in submission)
      return rejected(submission.problems.map((problem) => ({ ...problem, code: 'field.value' })));
    const body = bodyWith(submission.body, taken);
    if (!starts) return row.state === 'checked' ? 'finished' : this.check(body, taken, row);
    // A batch may have thousands of sessions: each has its own trace.
    const span = this.ports.sessions.tracing.begin({ name: 'batch.row' });
    try {
      return await span.within(() => this.start(body, taken, row));
    } finally {
      span.end();
    }
  }

  /** For a row that is only checked, also predicts the first step. */
  private async check(body: unknown, taken: ClaimedRows, row: ClaimedRow): Promise<RowWork> {
    const { batch } = taken;
    const session = await this.ports.submitting.check(body, principalOfRows(batch));
    const { isSkipped, ...known } = await this.knownOf(session, taken, row);
    if (isSkipped) return { state: 'duplicate', ...known };
    const first = batch.start === 'never' ? await this.ports.firstSteps.of(session) : undefined;
    const { priority } = session.request;
    return { state: 'checked', ...known, ...(first !== undefined && { first: { ...first, priority } }) };
  }

  private async start(body: unknown, taken: ClaimedRows, row: ClaimedRow): Promise<RowWork> {
    const { batch } = taken;
    const ready = await this.ports.submitting.ready(body, keyOf(taken, row), principalOfRows(batch), batch.id);
    const { isSkipped, ...known } = await this.knownOf(ready.session, taken, row);
    if ('start' in ready) {
      if (isSkipped) return { state: 'duplicate', ...known };
      if (skips(taken, row) && (await this.isHeld(ready.session))) return 'later';
    }
    const { session } = await startSubmission(ready);
    return { state: 'accepted', session: session.id, ...known };
  }

  /** Similar sessions, and unused files of a row. */
  private async knownOf(session: Session, taken: ClaimedRows, row: ClaimedRow): Promise<SimilarData> {
    const { index, sessions } = this.ports;
    const similar = await similarSessions(session, index, principalOfRows(taken.batch));
    const standing = skips(taken, row) ? similar.find(stands) : undefined;
    const equivalent = standing ?? similar[0];
    const earlier =
      equivalent === undefined ? {} : { earlier: { session: equivalent.sessionId, same: equivalent.same } };
    const unused = sessions.knowledge.fileUses(asSubmitted(session)).filter(({ used }) => !used);
    return { ...earlier, ...(unused.length > 0 && { unused }), isSkipped: standing !== undefined };
  }

  /** Of identical rows that are processed concurrently only one starts, and the others find its session. */
  private async isHeld(session: Session): Promise<boolean> {
    const content = contentDigests(session);
    if (content === undefined) return false;
    return !(await this.ports.batches.holdContent(content.everything, session.id, holdMs));
  }

  private outcomeOf(error: unknown, taken: ClaimedRows, row: ClaimedRow): RowWork {
    // The service is overloaded or partly unavailable: the row waits.
    if (isTransient(error)) return 'later';
    if (isFault(error)) {
      if (error.code === 'submission.invalid') return rejected(error.problems);
      // Its session was created with other file names, or before the batch got another priority.
      if (error.code === 'idempotency.conflict')
        return { state: 'accepted', session: sessionIdOfKey(keyOf(taken, row), principalOfRows(taken.batch).id) };
      if (error.kind === 'caller') return rejected([{ field: 'row', reason: error.message, code: error.code }]);
    }
    this.ports.log.error({ message: 'a row of a batch failed', batch: taken.batch.id, row: row.row, err: error });
    const reason =
      'internal error while processing this row. The gateway log gives the cause. Fix it, then retry the row';
    return rejected([{ field: 'row', reason, code: 'service.error' }]);
  }
}
