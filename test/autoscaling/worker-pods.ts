import { CoreV1Api, type KubeConfig, type V1Pod } from '@kubernetes/client-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlessInTrouble } from '../cluster-chaos/api-trouble';
import type { TestProcess } from '../loop/idle-process';

const component = 'app.kubernetes.io/component';
const lookEveryMs = 500;

const componentOf = ({ metadata }: V1Pod): string => metadata?.labels?.[component] ?? '';
const runs = ({ metadata, status }: V1Pod): boolean =>
  metadata?.deletionTimestamp === undefined && status?.phase === 'Running';

interface Played {
  readonly component: string;
  readonly process: TestProcess;
}

/**
 * Plays the kubelets of kwok's nodes (SIMULATED) for the pods of workers: each pod has a process, which is told to end as a kubelet would
 * when the pod is deleted.
 */
export class WorkerPods {
  /** How those ended that were told to: `SIGTERM` where the worker gave its steps back and went by itself. */
  readonly endings: (number | NodeJS.Signals | null)[] = [];
  /** By the uid of the pod. */
  private readonly played = new Map<string, Played>();
  private readonly leaving = new Set<Promise<void>>();
  private readonly core: CoreV1Api;
  private readonly loop: Promise<void>;
  private stopped = false;

  constructor(
    config: KubeConfig,
    private readonly namespace: string,
    /** Starts the process of a pod of this component. */
    private readonly start: (component: string) => TestProcess,
  ) {
    this.core = config.makeApiClient(CoreV1Api);
    this.loop = this.run();
  }

  /** Resolves when so many processes of a component take jobs. */
  async untilReady(wanted: string, count: number): Promise<void> {
    for (;;) {
      const those = [...this.played.values()].filter((one) => one.component === wanted);
      if (those.length === count) {
        await Promise.all(those.map(({ process }) => process.ready));
        return;
      }
      await sleep(lookEveryMs);
    }
  }

  /** Resolves when all that were told to end have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.leaving);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
    for (const { process } of this.played.values()) process.child.kill('SIGKILL');
    await Promise.all([...this.played.values()].map(({ process }) => process.ended));
    await this.settled();
  }

  private isStopped(): boolean {
    return this.stopped;
  }

  private async run(): Promise<void> {
    while (!this.isStopped()) {
      const { namespace } = this;
      const found = await unlessInTrouble(() => this.core.listNamespacedPod({ namespace, labelSelector: component }));
      if (found !== undefined) this.see(found.items.filter(runs));
      await sleep(lookEveryMs);
    }
  }

  private see(pods: readonly V1Pod[]): void {
    const there = new Set(pods.map(({ metadata }) => metadata?.uid ?? ''));
    for (const pod of pods) {
      const uid = pod.metadata?.uid ?? '';
      const of = componentOf(pod);
      if (!this.played.has(uid)) this.played.set(uid, { component: of, process: this.start(of) });
    }
    for (const [uid, { process }] of this.played) {
      if (there.has(uid)) continue;
      this.played.delete(uid);
      this.leaving.add(this.end(process));
    }
  }

  /** A pod deleted before it was up gets SIGTERM once it is: until then Node has no handler, and a kubelet's grace is longer. */
  private async end(process: TestProcess): Promise<void> {
    await process.ready;
    process.child.kill('SIGTERM');
    this.endings.push(await process.ended);
  }
}
