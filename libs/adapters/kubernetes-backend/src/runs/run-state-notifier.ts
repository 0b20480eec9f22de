import { hasRun, isRunning } from '../judge/program-container';
import type { ClusterCache } from '../watch/cluster-cache';
import { holds, isFinished } from '../watch/seen-objects';

/**
 * `over`: its program has ended; `finished`: its Job too; `gone`: deleted, or missing from the lists after a success.
 */
type Phase = 'waiting' | 'running' | 'over' | 'finished' | 'gone';

const longestLookMs = 10_000;

/** Reports once that a run has started, and once that it has ended, from the many changes of its Job and pods. */
export class RunStateNotifier {
  private readonly phases = new Map<string, Phase>();
  private readonly looks = new Map<string, { readonly delayMs: number; timer: NodeJS.Timeout | undefined }>();
  private readonly listeners: ((job: string) => void)[] = [];
  private readonly stopListening: (() => void)[];

  /** @param firstCheckMs milliseconds until a run without a visible result is checked again; doubled each time */
  constructor(
    private readonly cache: ClusterCache,
    private readonly firstCheckMs: number,
  ) {
    this.stopListening = [
      cache.onChange((job) => this.look(job)),
      // The watch reports no pod, but the run's files may show a result.
      cache.onPodless((job) => this.tell(job)),
    ];
  }

  onChanged(listener: (job: string) => void): void {
    this.listeners.push(listener);
  }

  /** The run will change without an event of the cluster: its files become visible, or time passes. */
  recheck(job: string): void {
    const known = this.looks.get(job);
    if (known?.timer !== undefined) return;
    const delayMs = known === undefined ? this.firstCheckMs : Math.min(longestLookMs, known.delayMs * 2);
    const timer = setTimeout(() => {
      this.looks.set(job, { delayMs, timer: undefined });
      this.tell(job);
    }, delayMs).unref();
    this.looks.set(job, { delayMs, timer });
  }

  /** Stops reports for this run. */
  forget(job: string): void {
    clearTimeout(this.looks.get(job)?.timer);
    this.looks.delete(job);
  }

  close(): void {
    for (const stop of this.stopListening) stop();
    for (const { timer } of this.looks.values()) clearTimeout(timer);
    this.looks.clear();
    this.listeners.length = 0;
  }

  private look(job: string): void {
    const before = this.phases.get(job) ?? 'waiting';
    const phase = this.phaseOf(job, before);
    if (phase === 'gone') this.phases.delete(job);
    else this.phases.set(job, phase);
    if (isReported(before, phase) || (before === 'over' && phase === 'finished' && this.hasFailed(job))) this.tell(job);
  }

  /** A failed Job may be the end of a run without a result; its pod alone is not. */
  private hasFailed(name: string): boolean {
    return holds(this.cache.job(name)?.conditions ?? [], 'Failed') !== undefined;
  }

  private phaseOf(name: string, before: Phase): Phase {
    const job = this.cache.job(name);
    const pods = this.cache.podsOf(name);
    if (job === undefined && pods.length === 0) return 'gone';
    if (job === undefined) return before === 'finished' ? 'finished' : 'over';
    if (isFinished(job)) return 'finished';
    if (pods.some(hasRun)) return 'over';
    return pods.some(isRunning) ? 'running' : 'waiting';
  }

  private tell(job: string): void {
    for (const listener of this.listeners) listener(job);
  }
}

/** The end of a run is reported at its first sign. */
const isReported = (before: Phase, phase: Phase): boolean => {
  if (phase === before || phase === 'waiting') return false;
  if (phase === 'finished') return before !== 'over';
  return !(phase === 'gone' && before === 'finished');
};
