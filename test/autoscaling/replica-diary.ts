import type { AppsV1Api } from '@kubernetes/client-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlessInTrouble } from '../cluster-chaos/api-trouble';

/** How many replicas a Deployment was to have, from a second of the run on. */
export interface ReplicaChange {
  readonly second: number;
  readonly replicas: number;
}

/** How often a series turns: up and down again is one turn. */
export const turnsOf = (replicas: readonly number[]): number => {
  const ways = replicas.slice(1).map((next, index) => Math.sign(next - (replicas[index] ?? next)));
  const moves = ways.filter((way) => way !== 0);
  return moves.filter((way, index) => index > 0 && way !== moves[index - 1]).length;
};

/** Writes down how many replicas Deployments are to have, once a second, with each change of it. */
export class ReplicaDiary {
  private readonly changes = new Map<string, ReplicaChange[]>();
  private readonly begun = performance.now();
  private readonly loop: Promise<void>;
  private stopped = false;

  constructor(
    private readonly apps: AppsV1Api,
    private readonly namespace: string,
  ) {
    this.loop = this.run();
  }

  /** Of a Deployment, the oldest first. */
  of(deployment: string): readonly ReplicaChange[] {
    return this.changes.get(deployment) ?? [];
  }

  /** Of a Deployment, the last that was seen. */
  now(deployment: string): number | undefined {
    return this.of(deployment).at(-1)?.replicas;
  }

  /** Replicas times seconds, until now. */
  podSeconds(deployment: string): number {
    const changes = this.of(deployment);
    const end = (performance.now() - this.begun) / 1000;
    return changes.reduce(
      (sum, { second, replicas }, index) => sum + replicas * ((changes[index + 1]?.second ?? end) - second),
      0,
    );
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
  }

  private isStopped(): boolean {
    return this.stopped;
  }

  private async run(): Promise<void> {
    while (!this.isStopped()) {
      const found = await unlessInTrouble(() => this.apps.listNamespacedDeployment({ namespace: this.namespace }));
      for (const { metadata, spec } of found?.items ?? []) this.note(metadata?.name ?? '', spec?.replicas ?? 0);
      await sleep(1_000);
    }
  }

  private note(deployment: string, replicas: number): void {
    const known = this.changes.get(deployment) ?? [];
    this.changes.set(deployment, known);
    if (known.at(-1)?.replicas === replicas) return;
    known.push({ second: Math.round((performance.now() - this.begun) / 1000), replicas });
  }
}
