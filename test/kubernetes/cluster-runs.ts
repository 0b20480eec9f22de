import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import type { AttemptEnding } from '@fleet/contracts/sessions';
import { claimRun, closeAttempt, foldersOf, readSpec } from '@fleet/attempt-runner';
import {
  KubernetesBackend,
  type KubernetesBackendOptions,
  type KubernetesSettings,
  type Pace,
} from '@fleet/kubernetes-backend';
import type { RunState } from '@fleet/ports';
import { anEnding, eventually, FakeCluster } from '@fleet/testing';

const aClass = { nodeSelector: {}, tolerations: [], resources: {}, maxRunning: 0 };

/** Waits for nothing that a test can see happen, and for as long as it takes for what shall happen. */
const quickPace: Pace = {
  callMs: 120_000,
  retries: { budgetMs: 120_000, firstDelayMs: 1, largestDelayMs: 10 },
  firstListsMs: 120_000,
  watchPauseMs: 5,
  firstCheckMs: 5,
  podPollMs: 5,
  podConfirmMs: 20,
  cancelMs: 120_000,
  probePollMs: 5,
  recordMs: 20,
  laggardsMs: 120_000,
  trialPollMs: 5,
};

/** Settings for tests: one image, patience of seconds, no limit on calls unless a test sets one. */
const someSettingsFor = (workRoot: string, changes: Partial<KubernetesSettings> = {}): KubernetesSettings => ({
  namespace: 'fleet-jobs',
  installation: 'fleet',
  sources: [{ name: 'open-phenix', image: 'open-phenix:1', runner: 'baked', openPhenixDir: '/opt/open-phenix' }],
  runnerImage: 'runner:1',
  imagePullPolicy: 'IfNotPresent',
  imagePullSecrets: [],
  volumes: { work: { mountPath: workRoot, claim: 'work' }, data: [], software: [] },
  classes: {
    cpu: aClass,
    gpu: { ...aClass, nodeSelector: { gpu: 'yes' }, resources: { 'nvidia.com/gpu': '1' } },
  },
  memoryClassesMiB: [2048, 4096],
  limits: { maxRunning: 0, maxRunningPerProposal: 0 },
  mustReach: [],
  gpuWaitSeconds: 600,
  pendingLimitSeconds: 86_400,
  imagePullLimitSeconds: 600,
  identity: {
    fleetGid: process.getgid?.() ?? 0,
    default: { uid: 10_001, gid: 10_001, supplementalGroups: [] },
    proposals: {},
    ofFolder: '',
  },
  kueue: { queue: '', priorityClass: '', priorityClasses: {}, queues: {} },
  api: { requestsPerSecond: 1_000, burst: 1_000, relistSeconds: 30, watch: true },
  ttlSecondsAfterFinished: 86_400,
  resultGraceSeconds: 0.05,
  ...changes,
});

/** A fake cluster, a work root, and backends over both; ask for one per test and `dispose` of it. */
export class ClusterRuns {
  readonly root = mkdtempSync(join(tmpdir(), 'fleet-kubernetes-'));
  readonly warnings: string[] = [];
  /** The clock of this machine, which a test moves ahead. */
  readonly clock = {
    aheadMs: 0,
    now: (): number => Date.now() + this.clock.aheadMs,
    forward: (ms: number): void => void (this.clock.aheadMs += ms),
  };
  private readonly backends: KubernetesBackend[] = [];
  private serial = 0;

  private constructor(readonly cluster: FakeCluster) {}

  static async start(): Promise<ClusterRuns> {
    return new ClusterRuns(await FakeCluster.start());
  }

  /** A new executor's backend: it knows nothing but the files and the cluster. */
  aBackend(changes: Partial<KubernetesSettings> = {}, more: Partial<KubernetesBackendOptions> = {}): KubernetesBackend {
    const backend = new KubernetesBackend({
      settings: someSettingsFor(this.root, changes),
      workRoot: this.root,
      programs: ['phenix.refine'],
      clock: this.clock,
      onWarning: (message) => this.warnings.push(message),
      kubeconfig: this.cluster.kubeconfig,
      ...more,
      pace: { ...quickPace, ...more.pace },
    });
    this.backends.push(backend);
    return backend;
  }

  aSpec(changes: Partial<RunSpec> = {}): RunSpec {
    this.serial += 1;
    const sessionId = `01hzy3v7k8w9x0y1z2a3b4c5${String(this.serial).padStart(2, '0')}`;
    const sessionFolder = join(this.root, 'mx1', sessionId);
    mkdirSync(sessionFolder, { recursive: true });
    return {
      name: `${sessionId}-c001-a1`,
      sessionFolder,
      attemptFolder: 'c001-refine/a1',
      program: 'phenix.refine',
      argv: ['/opt/open-phenix/bin/phenix.refine', 'model.pdb'],
      owner: { sessionId, cycle: 1, attempt: 1, proposal: 'mx1', beamline: 'i04', priority: 'standard' },
      resources: { class: 'cpu', cpus: 1, mayFallBack: false },
      limits: { wallClock: 60, memoryMiB: 2048, outputBytes: 1024 * 1024 },
      ...changes,
    };
  }

  jobOf(spec: Pick<RunSpec, 'name'>): string {
    return `phx-${spec.name}`;
  }

  /** The pod starts, and its supervisor claims the attempt. */
  start(spec: RunSpec): void {
    this.claim(spec);
    this.cluster.runPod(this.jobOf(spec));
  }

  claim(spec: RunSpec): void {
    const { running } = foldersOf(spec);
    const hash = readSpec(running)?.hash ?? '';
    mkdirSync(join(running, attemptFiles.folder), { recursive: true });
    const startedAt = new Date().toISOString();
    if (claimRun(running, { name: spec.name, specHash: hash, startedAt }) === undefined) throw new Error('claimed');
  }

  /** The supervisor writes how the program ended, and publishes. */
  publish(spec: RunSpec, ending: Partial<AttemptEnding> = {}): void {
    const startedAt = new Date().toISOString();
    closeAttempt(foldersOf(spec), { name: spec.name, startedAt }, anEnding(ending), Date.now());
  }

  isDeleted(spec: RunSpec): boolean {
    return this.cluster.objects.get('jobs', this.jobOf(spec))?.metadata.deletionTimestamp !== undefined;
  }

  /** The end of a run that is looked at until it has ended. */
  ended(look: () => Promise<RunState | undefined>): Promise<RunState> {
    return eventually('the end of the run', async () => {
      const state = await look();
      return state?.state === 'ended' && state;
    });
  }

  async dispose(): Promise<void> {
    for (const backend of this.backends) await backend.close();
    await this.cluster.stop();
    rmSync(this.root, { recursive: true, force: true });
  }
}
