import { askToCancel, foldersOf, SeenClaims, type Outcome, type RunRecord } from '@fleet/attempt-runner';
import { Fault } from '@fleet/contracts/faults';
import type { AttemptEnding } from '@fleet/contracts/sessions';
import type { Clock, RunLocation, RunState } from '@fleet/ports';
import { jobNameOf } from '../job/job-labels';
import { judgeRun } from '../judge/judge-run';
import { isOver } from '../judge/program-container';
import { refineDisruption } from '../judge/refine-disruption';
import type { Pace } from '../pace';
import type { KubernetesSettings } from '../settings/kubernetes-settings';
import { isFinished, type SeenJob, type SeenPod } from '../watch/seen-objects';
import type { RunStateNotifier } from './run-state-notifier';
import type { ClusterRuns } from './cluster-runs';
import { close, closeCancelled, lookAtFiles, programOfRun, takeAway, type FilesSight } from './run-files';

export interface RunSettlementDependencies {
  readonly runs: ClusterRuns;
  readonly notifier: RunStateNotifier;
  readonly settings: KubernetesSettings;
  readonly clock: Clock;
  readonly onWarning: (message: string) => void;
  readonly pace: Pick<Pace, 'cancelMs'>;
}

type Ended = Extract<RunState, { state: 'ended' }>;
type EndedFiles = Extract<FilesSight, { state: 'ended' }>;

/** An executor closes a run right after it claims it; an older claim was left by a dead executor. Milliseconds. */
const claimTimeoutMs = 30_000;
/**
 * A Job normally ends about a second after its result appears; one that still runs after this time never will.
 * Milliseconds, and at least two lists.
 */
const minLeftoverMs = 30_000;

/**
 * If a node ends a pod, its reason appears only after the containers have ended, about a second after the result.
 * Milliseconds.
 */
const explanationMs = 30_000;

/** A deletion sets its reason before the pod ends. */
const isAboutToTell = (pod: SeenPod): boolean => !isOver(pod) && pod.deletedAt === undefined;

/** Ends runs: with their result, or without one if the cluster reports that nothing runs any longer. */
export class RunSettlement {
  /** Claims that a program writes over its supervisor's are ignored. */
  private readonly claims = new SeenClaims();
  /** When a run was first seen to have ended without a result; milliseconds since 1970. */
  private readonly overSince = new Map<string, number>();
  private readonly leftovers = new Map<string, NodeJS.Timeout>();
  private closed = false;
  private readonly deletions = new Set<Promise<void>>();

  constructor(private readonly deps: RunSettlementDependencies) {}

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.leftovers.values()) clearTimeout(timer);
    this.leftovers.clear();
    await Promise.all(this.deletions);
  }

  /** The state of a run according to its files. */
  look(run: RunLocation): FilesSight {
    return lookAtFiles(run, this.deps.clock.now(), this.claims);
  }

  /**
   * The state of a claimed run. `outcome`: its ending according to the cluster; it applies if an executor died before
   * it could write why it closed the run.
   */
  claimedState(run: RunLocation, claim: RunRecord, outcome?: Outcome): RunState {
    if (claim.claimedBy === 'supervisor') return { state: 'running', startedAt: claim.startedAt };
    const now = this.deps.clock.now();
    if (now - Date.parse(claim.startedAt) < claimTimeoutMs) {
      return { state: 'waiting', reason: 'it is being removed', retryDelayMs: 1_000 };
    }
    const result =
      outcome === undefined
        ? closeCancelled(run, claim.startedAt, now, this.claims)
        : close(run, claim.startedAt, outcome, now, this.claims);
    return this.ended(run, result.startedAt, result.ending);
  }

  /**
   * Ends a run of which nothing is alive, or must be. If it was never started, it ends at once. Otherwise its result
   * may still be hidden by file system caching, and is waited for.
   */
  async settle(run: RunLocation, outcome: Outcome, pod: SeenPod | undefined, files: FilesSight): Promise<RunState> {
    const now = this.deps.clock.now();
    if (files.state !== 'claimed' && takeAway(run, now)) {
      const explained = await this.withLastWords(outcome, pod);
      const result = close(run, new Date(now).toISOString(), explained, now, this.claims);
      return this.ended(run, result.startedAt, result.ending);
    }
    const sight = this.look(run);
    if (sight.state === 'ended') return this.endedState(run, sight);
    if (sight.state !== 'claimed' || sight.claim.claimedBy === 'cancel') {
      if (sight.state === 'claimed') return this.claimedState(run, sight.claim, outcome);
      return { state: 'waiting', reason: 'it is being removed', retryDelayMs: 1_000 };
    }
    const since = this.overSince.get(run.name) ?? now;
    this.overSince.set(run.name, since);
    if (now - since < this.deps.settings.resultGraceSeconds * 1_000) {
      this.deps.notifier.recheck(jobNameOf(run.name));
      return { state: 'running', startedAt: sight.claim.startedAt };
    }
    const result = close(run, sight.claim.startedAt, await this.withLastWords(outcome, pod), now, this.claims);
    return this.ended(run, result.startedAt, result.ending);
  }

  /**
   * The state of a run with a result. An unsealed one counts when the cluster reports that nothing of the run is alive.
   */
  async endedState(run: RunLocation, { result, sealed }: EndedFiles): Promise<RunState> {
    const { startedAt, ending } = result;
    if (!sealed && this.mayRun(run)) {
      this.deps.notifier.recheck(jobNameOf(run.name));
      return { state: 'running', startedAt };
    }
    if (ending.kind !== 'disrupted') return this.ended(run, startedAt, ending);
    const job = await this.deps.runs.find(run.name);
    const pods = this.deps.runs.podsOf(run.name);
    const refined = refineDisruption(ending, programOfRun(run), job, pods);
    const age = this.deps.clock.now() - Date.parse(ending.endedAt);
    if (refined === ending && age < explanationMs && pods.some(isAboutToTell)) {
      this.deps.notifier.recheck(jobNameOf(run.name));
      return { state: 'running', startedAt };
    }
    return this.ended(run, startedAt, refined);
  }

  private mayRun({ name }: RunLocation): boolean {
    const { runs, clock, settings } = this.deps;
    const job = runs.known(name);
    if (job === undefined) return false;
    return judgeRun({ job, pods: runs.podsOf(name), now: clock.now(), limits: settings }).state !== 'ended';
  }

  /**
   * Cancels a run in two steps: first its start is prevented and running pods are deleted; then their end is awaited.
   * @throws Fault `run.cancel_failed` (transient) if they do not end in time
   */
  async cancel(run: RunLocation): Promise<void> {
    const { clock, runs } = this.deps;
    const before = this.look(run);
    if (before.state !== 'ended' && !takeAway(run, clock.now())) askToCancel(foldersOf(run), clock.now());
    await this.endPods(run, before.state === 'ended' ? runs.known(run.name) : await runs.find(run.name));
    const after = this.look(run);
    if (after.state === 'ended') return;
    const now = clock.now();
    const startedAt = after.state === 'claimed' ? after.claim.startedAt : new Date(now).toISOString();
    closeCancelled(run, startedAt, now, this.claims);
    this.forget(run);
  }

  private async endPods({ name }: RunLocation, job: SeenJob | undefined): Promise<void> {
    const { runs, pace } = this.deps;
    const isLive = job !== undefined && !isFinished(job);
    if (isLive) await runs.delete(name, 'Foreground');
    else if (job !== undefined || runs.podsOf(name).length === 0) return;
    if (await runs.podsGone(name, pace.cancelMs)) return;
    throw new Fault(
      'run.cancel_failed',
      'transient',
      `${name} has a pod that does not end; its node may not respond. It is retried.`,
    );
  }

  private ended(run: RunLocation, startedAt: string, ending: AttemptEnding): Ended {
    this.forget(run);
    const job = this.deps.runs.known(run.name);
    if (job !== undefined && !isFinished(job))
      this.deleteLater(run.name, ending.infrastructure ? 0 : this.leftoverMs());
    return { state: 'ended', startedAt, ending };
  }

  /** Without a watch, only lists show that a Job has ended. */
  private leftoverMs(): number {
    return Math.max(minLeftoverMs, 2_000 * this.deps.settings.api.relistSeconds);
  }

  private forget(run: RunLocation): void {
    this.overSince.delete(run.name);
    this.claims.forget(foldersOf(run).running);
    this.deps.notifier.forget(jobNameOf(run.name));
  }

  /** A Job that outlives its run would be resumed, or given a new pod, for nothing. */
  private deleteLater(run: string, delayMs: number): void {
    if (this.leftovers.has(run)) return;
    const timer = setTimeout(() => {
      this.leftovers.delete(run);
      const job = this.deps.runs.known(run);
      if (job === undefined || isFinished(job) || job.deletedAt !== undefined) return;
      const deletion: Promise<void> = this.deps.runs
        .delete(run, 'Background')
        .catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          this.deps.onWarning(`the Job of ${run}, which has ended, was not deleted; retrying: ${reason}`);
          if (!this.closed) this.deleteLater(run, this.leftoverMs());
        })
        .finally(() => this.deletions.delete(deletion));
      this.deletions.add(deletion);
    }, delayMs).unref();
    this.leftovers.set(run, timer);
  }

  private async withLastWords(outcome: Outcome, pod: SeenPod | undefined): Promise<Outcome> {
    if (!['lost', 'signalled', 'node_lost'].includes(outcome.kind)) return outcome;
    const words = await this.deps.runs.lastWords(pod);
    return words === '' || outcome.message.includes(words)
      ? outcome
      : { ...outcome, message: `${outcome.message} Last output: ${words}` };
  }
}
