import { setImmediate } from 'node:timers/promises';
import {
  type Call,
  foldersOf,
  noteHandedOver,
  type Outcome,
  prepareShared,
  refuseMissingRoot,
  specHash,
  storageFault,
} from '@fleet/attempt-runner';
import { Fault } from '@fleet/contracts/faults';
import type { RunSpec } from '@fleet/contracts/runs';
import type { InstalledProgram } from '@fleet/contracts/service';
import type { BackendSite, Clock, ExecutionBackend, Metrics, RunInventory, RunLocation, RunState } from '@fleet/ports';
import { ApiCaller } from './api/api-call';
import { faultOf } from './api/api-failure';
import { ClusterApi } from './api/cluster-api';
import { clusterAccess, type ClusterAccess } from './api/pooled-kube-config';
import { TokenBucket } from './api/token-bucket';
import { installationLabels, keys, labelValue, runOfJobName, selectorOf } from './job/job-labels';
import { runJob } from './job/run-job';
import { judgeRun } from './judge/judge-run';
import { jobDeleted, podGone } from './judge/outcomes';
import { usualPace, type Pace } from './pace';
import { ClusterProbe } from './probe/cluster-probe';
import { RunStateNotifier } from './runs/run-state-notifier';
import { ClusterRuns } from './runs/cluster-runs';
import { JobInventory } from './runs/job-inventory';
import { programOfRun, type FilesSight } from './runs/run-files';
import { RunSettlement } from './runs/run-settlement';
import { identityOf } from './settings/identity';
import type { KubernetesSettings } from './settings/kubernetes-settings';
import { clusterFindings } from './site/cluster-look';
import { ClusterTrial } from './site/cluster-trial';
import { SiteApi } from './site/site-api';
import { ClusterCache } from './watch/cluster-cache';
import type { SeenJob } from './watch/seen-objects';

export interface KubernetesBackendOptions {
  readonly settings: KubernetesSettings;
  /** Absolute; below the mount path of the work volume. */
  readonly workRoot: string;
  /** Names of the programs that the agent knows, for the probe. */
  readonly programs: readonly string[];
  readonly clock: Clock;
  /** Called with recoverable errors and broken installations. */
  readonly onWarning: (message: string) => void;
  /** Path of a kubeconfig; absent: found as kubectl does, or the service account of this pod. */
  readonly kubeconfig?: string;
  /** Absent: calls are not counted. */
  readonly metrics?: Metrics;
  /** Endpoints that programs must not reach, for a trial of the doctor. */
  readonly closedTo?: readonly Call[];
  /** Time limit for a trial pod to end, in milliseconds. */
  readonly trialPatienceMs?: number;
  /** Timeouts and intervals, as far as they differ from the defaults. */
  readonly pace?: Partial<Pace>;
}

/** Delay until a queued run is checked again, in milliseconds; changes are reported earlier. */
const retryDelayMs = 30_000;
/**
 * A trial pod that has not ended after this time is reported as not started, in milliseconds. Its image may have to be
 * pulled first.
 */
const trialMs = 240_000;
/** A creation that would wait longer than this for the rate limit is postponed, in milliseconds. */
const longestRateWaitMs = 2_000;

/**
 * Runs programs as Jobs of a Kubernetes cluster, one Job per attempt. The supervisor in the pod writes the result into
 * the attempt's folder; the cluster's state counts only without a result. Any number of executors may run at the same
 * time.
 */
export class KubernetesBackend implements ExecutionBackend {
  readonly name = 'kubernetes';
  readonly inventory: RunInventory;
  readonly site: BackendSite;
  private readonly access: ClusterAccess;
  private readonly cache: ClusterCache;
  private readonly runs: ClusterRuns;
  private readonly notifier: RunStateNotifier;
  private readonly settlement: RunSettlement;
  private readonly clusterProbe: ClusterProbe;

  constructor(private readonly options: KubernetesBackendOptions) {
    const { settings, clock, onWarning } = options;
    const { api: rate } = settings;
    const pace = { ...usualPace, ...options.pace };
    this.access = clusterAccess(options.kubeconfig);
    const bucket = new TokenBucket({ perSecond: rate.requestsPerSecond, burst: rate.burst, clock });
    const caller = new ApiCaller({
      access: this.access,
      bucket,
      clock,
      retries: pace.retries,
      timeoutMs: pace.callMs,
      random: Math.random,
      metrics: options.metrics,
    });
    const api = new ClusterApi(caller, settings.namespace);
    this.cache = new ClusterCache({
      api,
      selector: selectorOf(installationLabels(settings.installation)),
      relistMs: rate.relistSeconds * 1_000,
      watch: rate.watch,
      pauseMs: pace.watchPauseMs,
      random: Math.random,
      onTrouble: onWarning,
    });
    this.runs = new ClusterRuns(api, this.cache, pace);
    this.notifier = new RunStateNotifier(this.cache, pace.firstCheckMs);
    this.settlement = new RunSettlement({ runs: this.runs, notifier: this.notifier, settings, clock, onWarning, pace });
    this.inventory = new JobInventory(api, settings.installation);
    this.clusterProbe = new ClusterProbe({ ...options, api, pace });
    this.site = siteOf(options, pace, caller, api);
  }

  probe(): Promise<readonly InstalledProgram[]> {
    return translated(() => this.clusterProbe.probe());
  }

  ensure(spec: RunSpec): Promise<RunState> {
    return translated(async () => {
      await this.runs.ready();
      const hash = specHash(spec);
      const files = this.look(spec);
      refuseOther(spec, hash, files);
      if (files.state === 'ended') return this.settlement.endedState(spec, files);
      const hadJob = files.state === 'claimed' || (files.state === 'prepared' && files.handedOver);
      const job = this.runs.known(spec.name) ?? (hadJob ? await this.runs.read(spec.name) : undefined);
      if (job !== undefined) return this.adopt(spec, hash, job, files);
      // A deleted Job is not created again: a new attempt has its own Job.
      return hadJob ? this.withoutJob(spec, this.look(spec)) : this.create(spec, hash);
    });
  }

  find(run: RunLocation): Promise<RunState | undefined> {
    return translated(async () => {
      await this.runs.ready();
      const files = this.look(run);
      if (files.state === 'ended') return this.settlement.endedState(run, files);
      const job = await this.runs.find(run.name);
      if (job !== undefined) return this.observe(run, job, this.look(run));
      // An attempt that was only prepared never had a Job.
      const never = files.state === 'nothing' || (files.state === 'prepared' && !files.handedOver);
      return never ? undefined : this.withoutJob(run, this.look(run));
    });
  }

  cancel(run: RunLocation): Promise<void> {
    return translated(async () => {
      await this.runs.ready();
      await this.settlement.cancel(run);
    });
  }

  onChanged(listener: (name: string) => void): void {
    this.notifier.onChanged((job) => listener(this.cache.job(job)?.annotations[keys.attempt] || runOfJobName(job)));
    this.runs
      .ready()
      .catch((error: unknown) => this.options.onWarning(error instanceof Error ? error.message : String(error)));
  }

  async close(): Promise<void> {
    this.notifier.close();
    await Promise.all([this.settlement.close(), this.clusterProbe.close()]);
    await this.cache.stop();
    await this.access.close();
  }

  private look(run: RunLocation): FilesSight {
    const sight = this.settlement.look(run);
    if (sight.state === 'nothing') refuseMissingRoot(run);
    return sight;
  }

  private async create(spec: RunSpec, hash: string): Promise<RunState> {
    const { settings } = this.options;
    // Starts one launch at a time, each up to its API call: otherwise the first call would wait for the file accesses
    // of all.
    await setImmediate();
    const queuedOnBackend = this.lineOfCalls();
    if (queuedOnBackend !== undefined) return queuedOnBackend;
    const identity = identityOf(settings, spec.owner);
    const manifest = runJob(spec, hash, identity, settings);
    if (!prepareShared(spec, hash, settings.identity.fleetGid)) throw specConflict(spec.name);
    const created = await this.runs.create(spec.name, manifest);
    if (created === undefined) {
      return { state: 'waiting', reason: 'its earlier Job is still being deleted', retryDelayMs: 1_000 };
    }
    if ('full' in created) {
      return { state: 'waiting', reason: `the quota of the namespace is used up: ${created.full}`, retryDelayMs };
    }
    return this.adopt(spec, hash, created, { state: 'prepared', specHash: hash, handedOver: false });
  }

  /** The queued state if a creation would wait too long for the rate limit; undefined otherwise. */
  private lineOfCalls(): RunState | undefined {
    const waitMs = this.runs.waitMs();
    if (waitMs <= longestRateWaitMs) return undefined;
    const { requestsPerSecond } = this.options.settings.api;
    const reason = `calls to the cluster are limited to ${requestsPerSecond} per second, and this one is waiting`;
    return { state: 'waiting', reason, retryDelayMs: waitMs };
  }

  private async adopt(spec: RunSpec, hash: string, job: SeenJob, files: FilesSight): Promise<RunState> {
    if (!isJobOf(spec, hash, job)) throw specConflict(spec.name);
    const isNew = files.state === 'prepared' && !files.handedOver;
    // Another process may have closed or started it since its files were read.
    const isChanged = isNew && !noteHandedOver(foldersOf(spec), this.options.clock.now());
    return this.observe(spec, job, isChanged ? this.look(spec) : files);
  }

  /** The state of a run whose Job exists. */
  private async observe(run: RunLocation, job: SeenJob, files: FilesSight): Promise<RunState> {
    if (files.state === 'ended') return this.settlement.endedState(run, files);
    const { settings, clock } = this.options;
    const now = clock.now();
    const runState = judgeRun({ job, pods: this.runs.podsOf(run.name), now, limits: settings });
    if (runState.state === 'ended') {
      const outcome = outcomeOfStarted(runState.outcome, run, files);
      return this.settlement.settle(run, outcome, runState.pod, files);
    }
    if (files.state === 'claimed') return this.settlement.claimedState(run, files.claim);
    if (runState.state === 'running') {
      return { state: 'running', startedAt: new Date(runState.startedAt ?? now).toISOString() };
    }
    const more = runState.unexplained === true ? await this.runs.explain(run.name, now) : '';
    const reason = more === '' ? runState.reason : `${runState.reason}: ${more}`;
    return { state: 'waiting', reason, queuedOnBackend: true, retryDelayMs };
  }

  /** The state of a run whose Job was deleted. */
  private withoutJob(run: RunLocation, files: FilesSight): Promise<RunState> {
    if (files.state === 'ended') return this.settlement.endedState(run, files);
    return this.settlement.settle(run, jobDeleted(programOfRun(run)), undefined, files);
  }
}

const siteOf = (options: KubernetesBackendOptions, pace: Pace, caller: ApiCaller, api: ClusterApi): BackendSite => {
  const { settings, closedTo = [], trialPatienceMs = trialMs } = options;
  const siteApi = new SiteApi(caller, settings.namespace);
  const trial = new ClusterTrial({ ...options, api, closedTo, patienceMs: trialPatienceMs, pollMs: pace.trialPollMs });
  return {
    look: () => translated(() => clusterFindings(siteApi, settings)),
    trial: (id, signal) => translated(() => trial.run(id, signal)),
  };
};

/** If a pod cannot start as a replacement for a vanished one, that says nothing about the program in the first one. */
const outcomeOfStarted = (outcome: Outcome, run: RunLocation, files: FilesSight): Outcome =>
  files.state === 'claimed' && files.claim.claimedBy === 'supervisor' && neverStarted.has(outcome.kind)
    ? podGone(programOfRun(run), '')
    : outcome;

const neverStarted: ReadonlySet<string> = new Set([
  'gpu_unavailable',
  'unschedulable',
  'image_unavailable',
  'not_started',
]);

/**
 * Whether a Job belongs to the run. A Job without annotations is identified by its labels: its spec is in the run's
 * folder and was compared.
 */
const specConflict = (name: string): Fault =>
  new Fault('run.spec_conflict', 'conflict', `${name} was started before with another command or other limits`);

const isJobOf = (spec: RunSpec, hash: string, { annotations, labels }: SeenJob): boolean => {
  const known = annotations[keys.specHash];
  return known === undefined ? labels[keys.attempt] === labelValue(spec.name) : known === hash;
};

const refuseOther = (spec: RunSpec, hash: string, files: FilesSight): void => {
  const claimed =
    files.state === 'claimed' && files.claim.claimedBy === 'supervisor' ? files.claim.specHash : undefined;
  const written = files.state === 'prepared' || files.state === 'ended' ? files.specHash : claimed;
  if (written !== undefined && written !== '' && written !== hash) throw specConflict(spec.name);
};

const translated = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw storageFault(faultOf(error));
  }
};
