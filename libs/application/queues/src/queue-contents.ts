import { isWithinReach, reachOf } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import {
  Queues,
  type JobPlace,
  type JobRelevance,
  type QueuedJobDetail,
  type QueuedJobsPage,
  type QueuedJobView,
  type QueueName,
  type QueuesView,
} from '@fleet/contracts/queues';
import { isEnded, type SessionRow } from '@fleet/contracts/sessions';
import type { JobRange, QueuedJob, QueuedJobs, SessionIndex } from '@fleet/ports';

const longestReason = 1000;
/** A payload contains an id and two numbers. */
const longestPayload = 4000;

/** A filter of the jobs of a queue. */
export interface JobQuery extends JobRange {
  readonly place: JobPlace;
}

/** The content of the queues, by permission: jobs of other users' sessions are hidden. */
export class QueueContents {
  constructor(
    private readonly jobs: QueuedJobs,
    private readonly index: Pick<SessionIndex, 'rows'>,
  ) {}

  /** Job counts by state, for the whole service. */
  async view(): Promise<QueuesView> {
    const states = await this.jobs.states();
    return {
      queues: states.map(({ oldestWaitingAt, ...state }) => ({
        ...state,
        ...(oldestWaitingAt !== undefined && { oldestWaitingAt: timeOf(oldestWaitingAt) }),
      })),
    };
  }

  async page(principal: Principal, queue: QueueName, { place, ...range }: JobQuery): Promise<QueuedJobsPage> {
    const [states, jobs] = await Promise.all([this.jobs.states(), this.jobs.list(queue, place, range)]);
    const rows = await this.rowsOf(jobs);
    const shown = jobs.flatMap((job, at) => (sees(principal, rows[at]) ? [toView(job, rows[at])] : []));
    const total = states.find(({ name }) => name === queue)?.jobs[place] ?? 0;
    const next = range.offset + range.limit;
    return { jobs: shown, hidden: jobs.length - shown.length, total, ...(next < total && { nextOffset: next }) };
  }

  /** @throws Fault `job.not_found` */
  async look(principal: Principal, queue: QueueName, id: string): Promise<QueuedJobDetail> {
    const job = await this.jobs.find(queue, id);
    const [row] = await this.rowsOf(job === undefined ? [] : [job]);
    if (job === undefined || !sees(principal, row)) throw noJob(queue, id);
    const payload = JSON.stringify(job.payload ?? null).slice(0, longestPayload);
    return { ...toView(job, row), payload, stack: job.stack };
  }

  /**
   * Starts a delayed job now, which is harmless: its step checks the record first.
   * @throws Fault `job.not_found`, `job.not_delayed`
   */
  async hasten(principal: Principal, queue: QueueName, id: string): Promise<QueuedJobDetail> {
    const { place } = await this.look(principal, queue, id);
    if (place !== 'delayed' || !(await this.jobs.hasten(queue, id)))
      throw new Fault(
        'job.not_delayed',
        'conflict',
        `Job ${id.slice(0, 100)} of ${queue} is not delayed, so it cannot start earlier. Retry dead steps with phx admin steps retry, or under Operations.`,
      );
    return this.look(principal, queue, id);
  }

  private async rowsOf(jobs: readonly QueuedJob[]): Promise<readonly (SessionRow | undefined)[]> {
    const ids = [...new Set(jobs.flatMap(({ of }) => of?.sessionId ?? []))];
    const rows = ids.length === 0 ? [] : await this.index.rows(ids);
    const known = new Map(ids.map((id, at) => [id, rows[at]]));
    return jobs.map(({ of }) => (of === undefined ? undefined : known.get(of.sessionId)));
  }
}

/** @throws Fault `queue.not_found` */
export const queueCalled = (name: string): QueueName => {
  const queue = Object.values(Queues).find((one) => one === name);
  if (queue !== undefined) return queue;
  const known = Object.values(Queues).join(', ');
  throw new Fault(
    'queue.not_found',
    'not_found',
    `Unknown queue ${JSON.stringify(name.slice(0, 64))}; the queues are ${known}.`,
  );
};

/** Jobs without a known session are visible only to principals who see all. */
const sees = (principal: Principal, row: SessionRow | undefined): boolean =>
  row === undefined ? reachOf(principal) === 'all' : isWithinReach(principal, row);

const timeOf = (ms: number): string => new Date(ms).toISOString();

const relevanceOf = ({ of }: QueuedJob, row: SessionRow | undefined): JobRelevance => {
  if (of === undefined || row === undefined) return 'unknown';
  return row.version === of.sessionVersion && !isEnded(row.status) ? 'due' : 'stale';
};

const noJob = (queue: QueueName, id: string): Fault =>
  new Fault(
    'job.not_found',
    'not_found',
    `Unknown job ${JSON.stringify(id.slice(0, 100))} in ${queue}. Completed jobs are not stored; see the session.`,
  );

const toView = (job: QueuedJob, row: SessionRow | undefined): QueuedJobView => {
  const { queue, id, place, of, tries, mostTries, addedAt, startedAt, endedAt, beginsAt, reason } = job;
  return {
    id,
    queue,
    job: job.job,
    place,
    relevance: relevanceOf(job, row),
    tries,
    mostTries,
    addedAt: timeOf(addedAt),
    ...(of !== undefined && { sessionId: of.sessionId }),
    ...(row !== undefined && { title: row.title }),
    ...(startedAt !== undefined && { startedAt: timeOf(startedAt) }),
    ...(endedAt !== undefined && { endedAt: timeOf(endedAt) }),
    ...(beginsAt !== undefined && { beginsAt: timeOf(beginsAt) }),
    ...(reason !== undefined && { reason: reason.slice(0, longestReason) }),
  };
};
