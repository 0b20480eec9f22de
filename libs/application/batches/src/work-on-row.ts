import type { EarlierSession } from '@fleet/contracts/batches';
import { isFault, isTransient } from '@fleet/contracts/faults';
import { priorities } from '@fleet/contracts/launches';
import type { ApiProblem, FileUse, Session } from '@fleet/contracts/sessions';
import { submissionOfRow, type ManifestRow } from '@fleet/manifest';
import { contentDigests } from '@fleet/files';
import type { ClaimedRows, RowOutcome } from '@fleet/ports';
import { sessionIdOfKey, similarSessions, stands, startSubmission } from '@fleet/sessions';
import type { BatchPorts } from './batch-ports';
import { principalOfRows } from './principal-of-rows';

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
  return { state: 'rejected', problems: more > 0 ? [...told, rest] : told };
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

/** Milliseconds for which others that are the same wait for a row that is about to be started; who dies with it keeps them no longer. */
const holdMs = 30_000;

/** With the priority that the batch was given later. One that does not exist is left to the checks, which say so. */
const bodyWith = (body: Readonly<Record<string, unknown>>, { priority }: ClaimedRows): object => {
  const said = body.priority;
  if (priority === undefined || (said !== undefined && !priorities.some((known) => known === said))) return body;
  return { ...body, priority };
};

/** Checks a row of a batch, starts its session, or cancels it, as it is due. */
export class WorkOnRow {
  constructor(private readonly ports: BatchPorts) {}

  /** May be done twice, at any time, by any gateway. */
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
    // A batch may have thousands of sessions: each has a trace of its own.
    const span = this.ports.sessions.tracing.begin({ name: 'batch.row' });
    try {
      return await span.within(() => this.start(body, taken, row));
    } finally {
      span.end();
    }
  }

  /** Of a row that is never started its first step is shown as well. */
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

  /** What is known of the data of a row: its like, and files of it that nothing uses. */
  private async knownOf(session: Session, taken: ClaimedRows, row: ClaimedRow): Promise<Known> {
    const { index, sessions } = this.ports;
    const similar = await similarSessions(session, index, principalOfRows(taken.batch));
    const standing = skips(taken, row) ? similar.find(stands) : undefined;
    const told = standing ?? similar[0];
    const earlier = told === undefined ? {} : { earlier: { session: told.sessionId, same: told.same } };
    const unused = sessions.knowledge.fileUses(asSubmitted(session)).filter(({ used }) => !used);
    return { ...earlier, ...(unused.length > 0 && { unused }), isSkipped: standing !== undefined };
  }

  /** Of rows that are the same and are looked at in the same moment one starts, and the others see its session. */
  private async isHeld(session: Session): Promise<boolean> {
    const content = contentDigests(session);
    if (content === undefined) return false;
    return !(await this.ports.batches.holdContent(content.everything, session.id, holdMs));
  }

  private outcomeOf(error: unknown, taken: ClaimedRows, row: ClaimedRow): RowWork {
    // Others need the service as well, or a part of it is away: the row waits.
    if (isTransient(error)) return 'later';
    if (isFault(error)) {
      if (error.code === 'submission.invalid') return rejected(error.problems);
      // Its session was made when its files were called otherwise, or before the batch was given another priority.
      if (error.code === 'idempotency.conflict')
        return { state: 'accepted', session: sessionIdOfKey(keyOf(taken, row), principalOfRows(taken.batch).id) };
      if (error.kind === 'caller') return rejected([{ field: 'row', reason: error.message, code: error.code }]);
    }
    this.ports.log.error({ message: 'a row of a batch failed', batch: taken.batch.id, row: row.row, err: error });
    const reason = 'the service failed at this row; its log says why. Run it again when that is fixed';
    return rejected([{ field: 'row', reason, code: 'service.error' }]);
  }
}
