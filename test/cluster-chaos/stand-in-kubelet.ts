import { CoreV1Api, KubeConfig, setHeaderOptions, PatchStrategy, Watch, type V1Pod } from '@kubernetes/client-node';
import { attemptFiles } from '@fleet/contracts';
import { attemptExitCodes, claimRun, publish, readSpec, writeResult, type ProbeRecord } from '@fleet/attempt-runner';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogueOf, endedStatus, foldersOf, playedPod, type PlayedPod } from './played-pod';

export interface StandInOptions {
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Shortest and longest run of a stand-in program, in milliseconds. */
  readonly programMs: readonly [number, number];
}

/** One start of a stand-in program. */
export interface Launch {
  readonly pod: string;
  readonly uid: string;
  readonly node: string;
  /** The attempt's published folder. */
  readonly folder: string;
}

/**
 * Plays the program in pods of kwok's nodes, which run no containers: claims the attempt, writes its log and result as
 * the runner does (SIMULATED: no program runs), and tells the API server that the container ended.
 */
export class StandInKubelet {
  /** Programs that were really started: claims that were won. */
  readonly launches: Launch[] = [];
  private readonly core: CoreV1Api;
  private readonly config = new KubeConfig();
  private readonly underWay = new Map<string, Promise<void>>();
  private stopped = false;
  private cutWatch: AbortController | undefined;
  private readonly loop: Promise<void>;

  constructor(private readonly options: StandInOptions) {
    this.config.loadFromFile(options.kubeconfig);
    this.core = this.config.makeApiClient(CoreV1Api);
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cutWatch?.abort();
    await this.loop;
    await Promise.all(this.underWay.values());
  }

  private isStopped(): boolean {
    return this.stopped;
  }

  /** Lists, then watches until the watch ends, again and again: the API server may die under it. */
  private async run(): Promise<void> {
    while (!this.isStopped()) {
      try {
        const pods = await this.core.listNamespacedPod({ namespace: this.options.namespace });
        for (const pod of pods.items) this.see(pod);
        await this.watch(pods.metadata?.resourceVersion ?? '');
      } catch (error) {
        // The API server is meant to be away at times; what stays wrong fails the suite by its time limit.
        if (!this.isStopped() && !isExpected(error)) console.error('stand-in kubelet', error);
        await sleep(250);
      }
    }
  }

  private watch(resourceVersion: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const path = `/api/v1/namespaces/${this.options.namespace}/pods`;
      const query = { resourceVersion, timeoutSeconds: 10 };
      new Watch(this.config)
        .watch(
          path,
          query,
          (_type, pod: V1Pod) => {
            this.see(pod);
          },
          (error: unknown) => {
            if (error === null || error === undefined) resolve();
            else reject(error instanceof Error ? error : new Error('the watch failed', { cause: error }));
          },
        )
        .then((controller) => {
          this.cutWatch = controller;
          if (this.stopped) controller.abort();
        }, reject);
    });
  }

  private see(seen: V1Pod): void {
    const pod = playedPod(seen);
    if (!pod.running || this.underWay.has(pod.uid)) return;
    this.underWay.set(
      pod.uid,
      this.play(pod).catch((error: unknown) => {
        console.error('stand-in program', pod.name, error);
      }),
    );
  }

  private async play(pod: PlayedPod): Promise<void> {
    const catalogue = catalogueOf(pod);
    if (catalogue !== undefined) {
      writeFileSync(catalogue, JSON.stringify(installed));
      return this.end(pod, 0);
    }
    const { running, published } = foldersOf(pod);
    const startedAt = new Date();
    const run = { name: pod.job, specHash: readSpec(running)?.hash ?? '', startedAt: startedAt.toISOString() };
    if (claimRun(running, run) === undefined) return this.end(pod, attemptExitCodes.elsewhere);
    this.launches.push({ pod: pod.name, uid: pod.uid, node: pod.node, folder: published });
    const [least, most] = this.options.programMs;
    await sleep(least + Math.random() * (most - least));
    // Cancelled meanwhile: the canceller has written how it ended.
    if (!existsSync(running)) return;
    appendFileSync(join(running, attemptFiles.log), 'SIMULATED: a stand-in of a test ran here.\n');
    writeResult(running, {
      schemaVersion: 1,
      name: pod.job,
      startedAt: run.startedAt,
      ending: {
        kind: 'exited',
        exitCode: 0,
        infrastructure: false,
        message: 'The stand-in ended normally.',
        endedAt: new Date().toISOString(),
        durationMs: Date.now() - startedAt.getTime(),
      },
    });
    publish({ running, published });
    await this.end(pod, attemptExitCodes.recorded);
  }

  /** Says that the pod's container ended, as often as it takes. */
  private async end(pod: PlayedPod, exitCode: number): Promise<void> {
    const where = { namespace: this.options.namespace, name: pod.name, body: endedStatus(pod, exitCode) };
    while (!this.isStopped()) {
      try {
        await this.core.patchNamespacedPodStatus(where, setHeaderOptions('Content-Type', PatchStrategy.MergePatch));
        return;
      } catch (error) {
        if (codeOf(error) === 404) return;
        await sleep(250);
      }
    }
  }
}

/** What every source of a suite has. */
const installed: ProbeRecord = {
  schemaVersion: 1,
  probedAt: new Date().toISOString(),
  programs: [
    {
      program: 'phenix.refine',
      provider: 'open-phenix',
      version: 'a stand-in of a test (SIMULATED)',
      command: ['/opt/stand-in/phenix.refine'],
    },
  ],
  warnings: [],
};

const codeOf = (error: unknown): unknown => Reflect.get(Object(error) as object, 'code');

/** The API server is away, or closes a watch. */
const isExpected = (error: unknown): boolean =>
  error instanceof TypeError ||
  typeof codeOf(error) === 'number' ||
  (error instanceof Error && /abort|terminated|premature|socket/i.test(error.message));
