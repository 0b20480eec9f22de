import type { V1Eviction, V1Job } from '@kubernetes/client-node';
import { attemptOfName } from '@fleet/contracts/runs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cluster } from '../cluster-e2e/cluster-ground';
import type { Dice } from '../fuzz/mutations';
import { asBody } from './api-objects';
import { unlessInTrouble } from './api-trouble';
import type { ChaosFleet } from './chaos-fleet';
import type { PlayedPod } from './played-pod';

/** What is done to a fleet and its cluster, how often; pauses are shortest and longest, in milliseconds. */
export interface TroublePlan {
  readonly executorKills: number;
  readonly killPauseMs: readonly [number, number];
  /** Parts of the cluster, in this order: killed, and started again after `partDownMs`. */
  readonly parts: readonly string[];
  readonly partDownMs: number;
  readonly partPauseMs: number;
  readonly podsDeleted: number;
  readonly podsEvicted: number;
  readonly jobsDeleted: number;
  /** PostgreSQL ends at once, and starts again. */
  readonly postgresCrashes: number;
  /** Redis loses everything that it holds. */
  readonly redisEmptied: number;
  readonly disturbPauseMs: readonly [number, number];
  /** Only the first attempt of a cycle is disturbed: later ones may have to pause for 30 s. */
  readonly firstAttemptsOnly: boolean;
  /** Nodes, one after the other: off and on again at once, silent for long, or gone from the cluster. */
  readonly nodes: readonly ('rebooted' | 'silent' | 'removed')[];
  readonly nodeAwayMs: number;
}

type Deed =
  | 'executors killed'
  | `${string} killed`
  | 'pods deleted'
  | 'pods evicted'
  | 'Jobs deleted'
  | 'crashes of PostgreSQL'
  | 'times Redis was emptied'
  | 'nodes rebooted'
  | 'nodes silent'
  | 'nodes removed'
  | 'programs that died with their node';

/** Parts that must be up when a suite ends, whatever happened. */
export const stoppableParts = ['etcd', 'apiserver', 'controller-manager', 'scheduler'] as const;

/** Deals troubles to a fleet while it has work. */
export class Troubles {
  /** Names of the Jobs that were deleted, or nearly so. */
  readonly deletedJobs = new Set<string>();
  private readonly counts = new Map<string, number>();
  private dealing: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly fleet: ChaosFleet,
    private readonly plan: TroublePlan,
    private readonly dice: Dice,
  ) {}

  /** What was done, how often. */
  get dealt(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.counts);
  }

  /** Resolves when all is done that was planned, or the fleet has nothing to do any more. */
  deal(): Promise<void> {
    this.dealing = this.dealAll();
    return this.dealing;
  }

  /** Deals nothing more, and waits for what is under way: a part that is down comes back first. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.allSettled([this.dealing]);
  }

  private async dealAll(): Promise<void> {
    const { podsDeleted, podsEvicted, jobsDeleted, postgresCrashes, redisEmptied } = this.plan;
    await Promise.all([
      this.killExecutors(),
      this.killParts(),
      this.loseNodes(),
      this.disturb('pods deleted', podsDeleted, () => this.deletePod()),
      this.disturb('pods evicted', podsEvicted, () => this.evictPod()),
      this.disturb('Jobs deleted', jobsDeleted, () => this.deleteJob()),
      this.disturb('crashes of PostgreSQL', postgresCrashes, () => this.fleet.crashPostgres()),
      this.disturb('times Redis was emptied', redisEmptied, () => this.fleet.emptyRedis()),
    ]);
  }

  private between([least, most]: readonly [number, number]): number {
    return least + this.dice.below(most - least + 1);
  }

  private anyOf<T>(things: readonly T[]): T | undefined {
    return things[this.dice.below(things.length)];
  }

  private note(deed: Deed, times = 1): void {
    this.counts.set(deed, (this.counts.get(deed) ?? 0) + times);
  }

  private async isWorkLeft(): Promise<boolean> {
    return !this.stopped && (await this.fleet.running()) > 0;
  }

  /** Any of them but the last, whose memory is watched. */
  private async killExecutors(): Promise<void> {
    const { executorKills, killPauseMs } = this.plan;
    for (let kills = 0; kills < executorKills && (await this.isWorkLeft());) {
      await sleep(this.between(killPauseMs));
      if ((await this.anyOf(this.fleet.executors.slice(0, -1))?.kill()) !== true) continue;
      kills += 1;
      this.note('executors killed');
    }
  }

  private async killParts(): Promise<void> {
    const { parts, partDownMs, partPauseMs } = this.plan;
    for (const part of parts) {
      await sleep(partPauseMs);
      if (!(await this.isWorkLeft())) return;
      await cluster('stop', part);
      this.note(`${part} killed`);
      await sleep(partDownMs);
      await cluster('start', part);
    }
  }

  private async loseNodes(): Promise<void> {
    for (const how of this.plan.nodes) {
      await sleep(this.between(this.plan.disturbPauseMs));
      const node = await this.busyNode();
      if (node === undefined) return;
      await this.loseNode(node, how);
    }
  }

  /** The node where most programs run. Undefined when no work is left. */
  private async busyNode(): Promise<string | undefined> {
    while (await this.isWorkLeft()) {
      const names = this.fleet.ground.kubelet.running().map(({ node }) => node);
      const [busiest] = [...new Set(names)].sort((one, other) => count(names, other) - count(names, one));
      if (busiest !== undefined) return busiest;
      await sleep(50);
    }
    return undefined;
  }

  private async loseNode(node: string, how: TroublePlan['nodes'][number]): Promise<void> {
    const { kubelet, nodes } = this.fleet.ground;
    this.note('programs that died with their node', kubelet.loseNode(node));
    this.note(`nodes ${how}`);
    if (how === 'removed') await nodes.remove(node);
    else await nodes.silence(node);
    await sleep(how === 'rebooted' ? 1_000 : this.plan.nodeAwayMs);
    if (how === 'removed') await nodes.make();
    else await nodes.wake(node);
    kubelet.returnNode(node);
  }

  private async disturb(deed: Deed, times: number, act: () => Promise<boolean>): Promise<void> {
    for (let done = 0; done < times && (await this.isWorkLeft());) {
      await sleep(this.between(this.plan.disturbPauseMs));
      if ((await unlessInTrouble(act)) !== true) continue;
      done += 1;
      this.note(deed);
    }
  }

  private async deletePod(): Promise<boolean> {
    const name = this.victim()?.name;
    if (name === undefined) return false;
    await this.fleet.core().deleteNamespacedPod({ namespace: this.fleet.ground.namespace, name });
    return true;
  }

  private async evictPod(): Promise<boolean> {
    const name = this.victim()?.name;
    if (name === undefined) return false;
    const { namespace } = this.fleet.ground;
    const body = asBody<V1Eviction>({ metadata: { namespace, name } });
    await this.fleet.core().createNamespacedPodEviction({ namespace, name, body });
    return true;
  }

  /** That of a program that runs, or one that has only just been made. */
  private async deleteJob(): Promise<boolean> {
    const { namespace } = this.fleet.ground;
    const name = this.dice.below(2) === 0 ? this.victim()?.job : await this.newestJob();
    if (name === undefined) return false;
    const propagationPolicy = this.dice.below(2) === 0 ? 'Background' : 'Foreground';
    this.deletedJobs.add(name);
    await this.fleet.batch().deleteNamespacedJob({ namespace, name, propagationPolicy });
    return true;
  }

  private async newestJob(): Promise<string | undefined> {
    const names = (await this.fleet.jobs())
      .filter(({ status, metadata }) => status?.conditions === undefined && metadata?.deletionTimestamp === undefined)
      .sort((one, other) => ageOf(one) - ageOf(other))
      .map(({ metadata }) => metadata?.name ?? '');
    return names.find((name) => this.mayDisturb(name));
  }

  /** A pod whose program runs. */
  private victim(): PlayedPod | undefined {
    return this.anyOf(this.fleet.ground.kubelet.running().filter(({ job }) => this.mayDisturb(job)));
  }

  private mayDisturb(job: string): boolean {
    const attempt = attemptOfName(job.replace(/^phx-/, ''));
    return attempt !== undefined && (attempt.attempt === 1 || !this.plan.firstAttemptsOnly);
  }
}

const ageOf = ({ metadata }: V1Job): number => Date.now() - (metadata?.creationTimestamp?.getTime() ?? 0);
const count = (names: readonly string[], name: string): number => names.filter((other) => other === name).length;
