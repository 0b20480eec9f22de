import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '@fleet/contracts/administration';
import type { Doctor } from '@fleet/observability';
import { finding, type BackendSite, type Checkup, type SiteLooks, type WantedTrial } from '@fleet/ports';

export interface SiteWatchDependencies {
  readonly doctor: Pick<Doctor, 'look'>;
  readonly site: Pick<BackendSite, 'trial'> | undefined;
  readonly looks: SiteLooks;
  /** The name of this machine or pod. */
  readonly executor: string;
  /** Lease of a trial by this executor without a heartbeat, in milliseconds. */
  readonly leaseMs?: number;
}

/**
 * Checks the execution site, and runs a trial when an administrator requests it. Any number may watch: one runs the
 * trial.
 */
export class SiteWatch {
  private readonly leaseMs: number;

  constructor(private readonly deps: SiteWatchDependencies) {
    this.leaseMs = deps.leaseMs ?? 30_000;
  }

  /** Stores this executor's findings. */
  async look(): Promise<void> {
    await this.deps.looks.publish(await this.deps.doctor.look());
  }

  /** Runs a requested trial, if there is one. An interrupted one is left to another executor. */
  async tryOut(signal: AbortSignal): Promise<void> {
    const { looks, executor } = this.deps;
    const trial = await looks.takeTrial(executor, this.leaseMs);
    if (trial === undefined) return;
    const lost = new AbortController();
    const over = new AbortController();
    const lease = this.keep(trial, over.signal).catch((error: unknown) => lost.abort(error));
    try {
      const findings = await this.found(trial, AbortSignal.any([signal, lost.signal]));
      if (findings === undefined) return;
      await looks.endTrial(trial, findings);
    } finally {
      over.abort();
      await lease;
    }
    // A fix becomes visible at once.
    await this.look();
  }

  /** Undefined: it was interrupted. */
  private async found({ id }: WantedTrial, signal: AbortSignal): Promise<readonly Finding[] | undefined> {
    const { site } = this.deps;
    if (site === undefined) return [];
    try {
      return await site.trial(id, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      const reason = error instanceof Error ? error.message : String(error);
      return [
        finding('trial', 'error', `It cannot be made: ${reason}`, {
          why: 'Programs are started in the same way.',
          remedy: "Look at the other findings and in the executor's log.",
        }),
      ];
    }
  }

  /** Renews the lease of the trial while it runs. */
  private async keep(trial: WantedTrial, over: AbortSignal): Promise<void> {
    const { looks, executor } = this.deps;
    for (;;) {
      await sleep(this.leaseMs / 3, undefined, { signal: over }).catch((error: unknown) => {
        if (!over.aborted) throw error;
      });
      if (over.aborted) return;
      if (!(await looks.keepTrial(trial, executor, this.leaseMs))) {
        throw new Error('another executor has taken the trial');
      }
    }
  }
}

/** Wraps a checkup of this process under a name that differs from the gateway's. */
export const asExecutors = (checkup: Checkup): Checkup => ({
  area: `executor.${checkup.area}`,
  check: async () => (await checkup.check()).map((one) => ({ ...one, check: `executor.${one.check}` })),
});
