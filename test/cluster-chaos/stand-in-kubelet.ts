import { CoreV1Api, KubeConfig, setHeaderOptions, PatchStrategy, Watch, type V1Pod } from '@kubernetes/client-node';
import type { ProbeRecord } from '@fleet/attempt-runner';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../fuzz/mutations';
import { isApiTrouble, statusOf } from './api-trouble';
import { catalogueOf, endedStatus, foldersOf, playedPod, type PlayedPod } from './played-pod';
import { StandInProgram } from './stand-in-program';

export interface StandInOptions {
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Shortest and longest run of a stand-in program, in milliseconds. */
  readonly programMs: readonly [number, number];
  /** What the program of an attempt, given by its name, exits with; absent: 0. */
  readonly exitCode?: (attempt: string) => number;
  /** Supervisors are told to end when their pod is deleted, as on a real node; absent: the suite sees to that. */
  readonly endsWithPod?: boolean;
  /** Decides how long each program runs. */
  readonly dice?: Dice;
}

/** One start of a stand-in program. */
export interface Launch {
  readonly pod: string;
  readonly uid: string;
  readonly node: string;
  /** The attempt's published folder. */
  readonly folder: string;
}

/** A pod whose container has been started here, and its outcome. */
interface Played {
  readonly pod: PlayedPod;
  readonly program: StandInProgram;
  exitCode: number | undefined;
}

/** Exit code of a container that was ended before its program began. */
const terminated = 143;

/**
 * Plays the kubelets of kwok's nodes, which run no containers: starts a stand-in program in each pod, ends it when its
 * pod is deleted, and tells the API server that the container ended. Nodes may be lost and come back.
 */
export class StandInKubelet {
  /** Programs that were really started: claims that were won. */
  readonly launches: Launch[] = [];
  /** What no kubelet ought to meet; a suite expects none. */
  readonly failures: unknown[] = [];
  private readonly core: CoreV1Api;
  private readonly config = new KubeConfig();
  /** By the uid of the pod. */
  private readonly played = new Map<string, Played>();
  private readonly reporting = new Map<string, Promise<void>>();
  private readonly lostNodes = new Set<string>();
  private stopped = false;
  private cutWatch: AbortController | undefined;
  private readonly loop: Promise<void>;

  private readonly dice: Dice;

  constructor(private readonly options: StandInOptions) {
    this.dice = options.dice ?? new Dice(1);
    this.config.loadFromFile(options.kubeconfig);
    this.core = this.config.makeApiClient(CoreV1Api);
    this.loop = this.run();
  }

  /** Pods whose program runs just now. */
  running(): readonly PlayedPod[] {
    return [...this.played.values()].filter(({ exitCode }) => exitCode === undefined).map(({ pod }) => pod);
  }

  /** The node loses power: its programs are gone, and nobody there says so. Returns how many programs died. */
  loseNode(node: string): number {
    this.lostNodes.add(node);
    const here = this.running().filter((pod) => pod.node === node);
    for (const { uid } of here) this.played.get(uid)?.program.die();
    return here.length;
  }

  /** The node has power again: its kubelet finds that nothing runs of what should. */
  returnNode(node: string): void {
    this.lostNodes.delete(node);
    this.cutWatch?.abort();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cutWatch?.abort();
    for (const { program } of this.played.values()) program.die();
    await this.loop;
    await Promise.all(this.reporting.values());
  }

  private isStopped(): boolean {
    return this.stopped;
  }

  /** Lists, then watches until the watch ends, again and again: the API server may die under it. */
  private async run(): Promise<void> {
    while (!this.isStopped()) {
      try {
        const { items, metadata } = await this.core.listNamespacedPod({ namespace: this.options.namespace });
        this.seeAll(items);
        await this.watch(metadata?.resourceVersion ?? '');
      } catch (error) {
        if (!isApiTrouble(error)) this.failures.push(error);
        await sleep(250);
      }
    }
  }

  private watch(resourceVersion: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const path = `/api/v1/namespaces/${this.options.namespace}/pods`;
      const query = { resourceVersion, timeoutSeconds: 60 };
      new Watch(this.config)
        .watch(
          path,
          query,
          (type, pod: V1Pod) => {
            if (type === 'ERROR') this.cutWatch?.abort();
            else this.see(pod, type === 'DELETED');
          },
          (error: unknown) => {
            if (error === null || error === undefined || this.cutWatch?.signal.aborted === true) resolve();
            else reject(error instanceof Error ? error : new Error('the watch failed', { cause: error }));
          },
        )
        .then((controller) => {
          this.cutWatch = controller;
          if (this.stopped) controller.abort();
        }, reject);
    });
  }

  /** What is not in the list has been deleted meanwhile. */
  private seeAll(pods: readonly V1Pod[]): void {
    for (const pod of pods) this.see(pod, false);
    const there = new Set(pods.map(({ metadata }) => metadata?.uid));
    for (const played of this.played.values()) {
      if (!there.has(played.pod.uid) && !this.lostNodes.has(played.pod.node)) this.takePod(played);
    }
  }

  private see(seen: V1Pod, gone: boolean): void {
    const pod = playedPod(seen);
    if (this.lostNodes.has(pod.node)) return;
    const known = this.played.get(pod.uid);
    if (known === undefined) {
      if (pod.running && !gone) this.begin(pod);
      return;
    }
    if (gone || pod.deleted) this.takePod(known);
    // Its end was not told, or not heard.
    if (!gone && pod.running && known.exitCode !== undefined) this.tellEnd(pod, known.exitCode);
  }

  private takePod({ program }: Played): void {
    if (this.options.endsWithPod === true) program.tellToEnd();
  }

  private begin(pod: PlayedPod): void {
    const catalogue = catalogueOf(pod);
    if (catalogue !== undefined) {
      writeFileSync(catalogue, JSON.stringify(installed));
      this.tellEnd(pod, 0);
      return;
    }
    if (pod.deleted) {
      this.tellEnd(pod, terminated);
      return;
    }
    const name = pod.job.replace(/^phx-/, '');
    const folders = foldersOf(pod);
    const program = new StandInProgram(name, folders, this.options.exitCode?.(name) ?? 0, () => {
      this.launches.push({ pod: pod.name, uid: pod.uid, node: pod.node, folder: folders.published });
    });
    const played: Played = { pod, program, exitCode: undefined };
    this.played.set(pod.uid, played);
    const [least, most] = this.options.programMs;
    program.run(least + this.dice.below(most - least + 1)).then(
      (exitCode) => {
        played.exitCode = exitCode;
        if (!this.lostNodes.has(pod.node)) this.tellEnd(pod, exitCode);
      },
      (error: unknown) => {
        this.failures.push(error);
      },
    );
  }

  /** Says that the pod's container ended, as often as it takes. */
  private tellEnd(pod: PlayedPod, exitCode: number): void {
    if (this.reporting.has(pod.uid)) return;
    const report = this.report(pod, exitCode)
      .catch((error: unknown) => {
        this.failures.push(error);
      })
      .finally(() => this.reporting.delete(pod.uid));
    this.reporting.set(pod.uid, report);
  }

  private async report(pod: PlayedPod, exitCode: number): Promise<void> {
    const where = { namespace: this.options.namespace, name: pod.name, body: endedStatus(pod, exitCode) };
    while (!this.isStopped() && !this.lostNodes.has(pod.node)) {
      try {
        await this.core.patchNamespacedPodStatus(where, setHeaderOptions('Content-Type', PatchStrategy.MergePatch));
        return;
      } catch (error) {
        if (statusOf(error) === 404) return;
        if (!isApiTrouble(error)) throw error;
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
