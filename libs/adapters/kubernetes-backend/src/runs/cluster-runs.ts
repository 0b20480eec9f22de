import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@fleet/contracts/faults';
import type { V1Job } from '@kubernetes/client-node';
import { hasStatus, isApiFailure } from '../api/api-failure';
import type { ClusterApi } from '../api/cluster-api';
import { jobNameOf } from '../job/job-labels';
import type { Manifest } from '../job/manifest';
import { programContainer } from '../job/pod-parts';
import { isOver, mainOf } from '../judge/program-container';
import type { Pace } from '../pace';
import type { ClusterCache } from '../watch/cluster-cache';
import { seenJob, seenPod, type SeenJob, type SeenPod } from '../watch/seen-objects';

/** Number of log lines quoted for an unexplained ending. */
const logLines = 10;
const logBytes = 4_096;
const quotedLength = 500;
/** Interval between queries for a Job's events, in milliseconds. */
const eventsMs = 60_000;

/** Jobs and pods of runs, by the names of runs: from the cache if sufficient, otherwise from the server. */
export class ClusterRuns {
  private readonly events = new Map<string, { readonly at: number; readonly text: string }>();
  private explaining = false;
  private syncing: Promise<void> | undefined;
  private isSynced = false;

  constructor(
    private readonly api: ClusterApi,
    private readonly cache: ClusterCache,
    private readonly pace: Pick<Pace, 'firstListsMs' | 'podPollMs' | 'podConfirmMs'>,
  ) {}

  /** Resolves when the Jobs and pods have been listed once. @throws Fault `cluster.unreachable` (transient) */
  async ready(): Promise<void> {
    if (this.isSynced) return;
    if (this.syncing === undefined) {
      this.cache.start();
      this.syncing = this.cache.synced();
    }
    const late = new AbortController();
    const timeout = sleep(this.pace.firstListsMs, 'late', { signal: late.signal, ref: false }).catch(() => 'early');
    const first = await Promise.race([this.syncing, timeout]);
    late.abort();
    if (first === 'late') {
      const { trouble } = this.cache;
      const why = trouble === undefined ? '' : `: ${trouble}`;
      throw new Fault(
        'cluster.unreachable',
        'transient',
        `the Kubernetes API server has not listed the Jobs yet${why}`,
      );
    }
    this.isSynced = true;
  }

  known(run: string): SeenJob | undefined {
    return this.cache.job(jobNameOf(run));
  }

  podsOf(run: string): readonly SeenPod[] {
    return this.cache.podsOf(jobNameOf(run));
  }

  /** The Job of a run; undefined if the server has none. */
  async find(run: string): Promise<SeenJob | undefined> {
    return this.known(run) ?? (await this.read(run));
  }

  async read(run: string): Promise<SeenJob | undefined> {
    const raw = await this.api.readJob(jobNameOf(run));
    const job = raw === undefined ? undefined : seenJob(raw);
    if (job === undefined) this.cache.sawNoJob(jobNameOf(run));
    else this.cache.sawJob(job);
    return job;
  }

  /**
   * Creates a Job, or finds the existing one: the response to an earlier try may have been lost. `full`: the message of
   * an exceeded namespace quota. Undefined if a Job of that name was just deleted.
   * @throws Fault `cluster.namespace_missing` (transient), ApiFailure
   */
  async create(run: string, manifest: Manifest<V1Job>): Promise<SeenJob | { readonly full: string } | undefined> {
    try {
      const job = seenJob(await this.api.createJob(manifest));
      if (job !== undefined) this.cache.sawJob(job);
      return job;
    } catch (error) {
      if (hasStatus(error, 409)) return this.read(run);
      if (hasStatus(error, 403) && isApiFailure(error) && /exceeded quota/.test(error.message)) {
        return { full: error.message };
      }
      if (hasStatus(error, 404) && isApiFailure(error)) {
        const what = `the namespace of the Jobs is missing: ${error.message}`;
        throw new Fault('cluster.namespace_missing', 'transient', what, { cause: error });
      }
      throw error;
    }
  }

  /** Milliseconds that a creation would wait for the rate limit. */
  waitMs(): number {
    return this.api.waitMs();
  }

  delete(run: string, propagation: 'Foreground' | 'Background'): Promise<void> {
    return this.api.deleteJob(jobNameOf(run), propagation);
  }

  /** Whether all pods of the run are gone within that time; ended pods do not count. */
  async podsGone(run: string, timeoutMs: number): Promise<boolean> {
    const until = performance.now() + timeoutMs;
    for (let confirmAt = 0; ;) {
      const now = performance.now();
      if (this.podsOf(run).every(isOver) || now >= confirmAt) {
        if (await this.confirmPodsGone(run)) return true;
        confirmAt = performance.now() + this.pace.podConfirmMs;
        await sleep(this.pace.podPollMs);
      }
      if (performance.now() >= until) return false;
      await sleep(this.pace.podPollMs);
    }
  }

  /** The cluster's events about a Job that gets no pod; empty if there are none or they are unavailable. */
  async explain(run: string, now: number): Promise<string> {
    const known = this.events.get(run);
    if (known !== undefined && now - known.at < eventsMs) return known.text;
    // One at a time, and only while no call is queued: hundreds of Jobs may lack a pod for the same reason.
    if (!this.explaining && this.api.waitMs() === 0) await this.askWhy(run, now);
    return this.events.get(run)?.text ?? '';
  }

  private async askWhy(run: string, now: number): Promise<void> {
    this.explaining = true;
    try {
      const text = (await this.api.eventMessages('Job', jobNameOf(run))).at(-1) ?? '';
      if (this.events.size > 1_000) this.events.clear();
      this.events.set(run, { at: now, text });
    } catch (error) {
      if (!isApiFailure(error)) throw error;
    } finally {
      this.explaining = false;
    }
  }

  /** The last log lines of a pod's program, for an otherwise unexplained ending; empty if unavailable. */
  async lastWords(pod: SeenPod | undefined): Promise<string> {
    if (pod === undefined) return '';
    const text = mainOf(pod)?.message ?? '';
    if (text !== '') return text.slice(-quotedLength);
    const log = await this.api.logTail(pod.name, programContainer, logLines, logBytes).catch((error: unknown) => {
      // The node with the log may be the one that failed.
      if (isApiFailure(error)) return '';
      throw error;
    });
    return log.trim().slice(-quotedLength);
  }

  private async confirmPodsGone(run: string): Promise<boolean> {
    const raw = await this.api.listAll('pods', `batch.kubernetes.io/job-name=${jobNameOf(run)}`);
    return raw.every((item) => {
      const pod = seenPod(item);
      return pod === undefined || isOver(pod);
    });
  }
}
