import type { ClusterApi } from '../api/cluster-api';
import { ListWatch } from './list-watch';
import { isFinished, seenJob, seenPod, type SeenJob, type SeenPod } from './seen-objects';

export interface ClusterCacheOptions {
  readonly api: ClusterApi;
  /** Label selector of the Jobs and pods of this installation. */
  readonly selector: string;
  readonly relistMs: number;
  readonly watch: boolean;
  /** Pause after the first failure of a list or watch, in milliseconds; doubled each time. */
  readonly pauseMs: number;
  readonly random: () => number;
  readonly onTrouble: (message: string) => void;
  readonly silenceMs?: number;
}

/** Cache of the Jobs and pods of this installation. A successful one stays until the next list. */
export class ClusterCache {
  private readonly jobs: ListWatch<SeenJob>;
  private readonly pods: ListWatch<SeenPod>;
  private readonly podsOfJobs = new Map<string, Map<string, SeenPod>>();
  private readonly listeners = new Set<(job: string) => void>();
  private readonly podlessListeners = new Set<(job: string) => void>();
  /** Jobs without a pod at the last list of pods. */
  private podless: ReadonlySet<string> = new Set();

  /** The last error message. */
  trouble: string | undefined;

  constructor({ api, selector, ...given }: ClusterCacheOptions) {
    const options = {
      ...given,
      onTrouble: (message: string) => {
        this.trouble = message;
        given.onTrouble(message);
      },
    };
    this.jobs = new ListWatch({
      ...options,
      api,
      selector,
      resource: 'jobs',
      see: seenJob,
      onChange: (before, after) => this.tell(after?.name ?? before?.name ?? ''),
    });
    this.pods = new ListWatch({
      ...options,
      api,
      selector,
      resource: 'pods',
      see: seenPod,
      onChange: (before, after) => this.indexPod(before, after),
      onListed: () => this.tellPodless(),
    });
  }

  start(): void {
    this.jobs.start();
    this.pods.start();
  }

  /** Resolves after the first list of both kinds. */
  async synced(): Promise<void> {
    await Promise.all([this.jobs.synced(), this.pods.synced()]);
  }

  async stop(): Promise<void> {
    this.listeners.clear();
    this.podlessListeners.clear();
    await Promise.all([this.jobs.stop(), this.pods.stop()]);
  }

  /**
   * Registers a listener for changes of a Job or its pods, called with the Job's name. Returns a function that
   * unregisters it.
   */
  onChange(listener: (job: string) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /**
   * Registers a listener, called after a list of pods with the name of each Job that may have a pod but has none, once
   * per series of lists: it will get one, or has just succeeded. Returns a function that unregisters it.
   */
  onPodless(listener: (job: string) => void): () => void {
    this.podlessListeners.add(listener);
    return () => {
      this.podlessListeners.delete(listener);
    };
  }

  job(name: string): SeenJob | undefined {
    return this.jobs.store.get(name);
  }

  podsOf(job: string): readonly SeenPod[] {
    return [...(this.podsOfJobs.get(job)?.values() ?? [])];
  }

  /** Stores the Job that a call returned: it is newer than lists and watches for a moment. */
  sawJob(job: SeenJob): void {
    this.jobs.store.put(job);
  }

  /** The server reported that the Job does not exist. */
  sawNoJob(name: string): void {
    const job = this.jobs.store.get(name);
    if (job !== undefined) this.jobs.store.drop(job);
  }

  private indexPod(before: SeenPod | undefined, after: SeenPod | undefined): void {
    const job = after?.job ?? before?.job ?? '';
    const pods = this.podsOfJobs.get(job) ?? new Map<string, SeenPod>();
    if (after !== undefined) pods.set(after.name, after);
    else if (before !== undefined) pods.delete(before.name);
    if (pods.size === 0) this.podsOfJobs.delete(job);
    else this.podsOfJobs.set(job, pods);
    this.tell(job);
  }

  private tellPodless(): void {
    const before = this.podless;
    const jobs = [...this.jobs.store.values()].filter(
      (job) => !job.suspended && !isFinished(job) && !this.podsOfJobs.has(job.name),
    );
    this.podless = new Set(jobs.map(({ name }) => name));
    // Once: if it has a pod and ends between two lists, the next list of Jobs leaves it out.
    for (const { name } of jobs.filter((job) => !before.has(job.name))) {
      for (const listener of this.podlessListeners) listener(name);
    }
  }

  private tell(job: string): void {
    for (const listener of this.listeners) listener(job);
  }
}
