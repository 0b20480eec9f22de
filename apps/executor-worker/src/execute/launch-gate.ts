import { isFault } from '@fleet/contracts/faults';
import type { RunSpec } from '@fleet/contracts/runs';
import type { AttemptRecord, Session } from '@fleet/contracts/sessions';
import { claimantOf, obstacleText, type Claimant, type SlotClaim } from '@fleet/fair-shares';
import type { Clock, LaunchControl, RunSlots, SlotAnswer } from '@fleet/ports';
import { heldText } from '@fleet/session-report';
import type { RunCount } from './run-count';
import type { SlotPruner } from './slot-pruner';
import type { CurrentPolicy } from './current-policy';
import type { GrantedRuns } from './granted-runs';
import type { LaunchQueue } from './launch-queue';
import { sharedRunOf } from './shared-run';

export interface LaunchGateDependencies {
  readonly slots: RunSlots;
  readonly control: LaunchControl;
  readonly queue: LaunchQueue;
  readonly policy: CurrentPolicy;
  readonly count: Pick<RunCount, 'recount'>;
  readonly pruner: Pick<SlotPruner, 'prune'>;
  readonly clock: Clock;
  readonly granted: Pick<GrantedRuns, 'tell'>;
}

export type Admission =
  | { readonly admitted: true }
  /** `mayExist`: it was let through before. `reason` is absent where others come first. `queuedOnBackend`: the line has it already. */
  | {
      readonly admitted: false;
      readonly reason?: string;
      readonly mayExist: boolean;
      readonly queuedOnBackend: boolean;
    };

/** Milliseconds between two looks of this process for places that belong to nobody. */
const pruneApartMs = 5_000;
/** Milliseconds for which a count of what runs holds. Every executor counts again much sooner. */
const countedWithinMs = 600_000;

/** Lets launches through: while neither an administrator nor a maintenance window holds them, within the limits, and in the order of the shares. */
export class LaunchGate {
  private prunedAt = 0;

  constructor(private readonly deps: LaunchGateDependencies) {}

  /**
   * Asked before every launch. The place is taken before the control is read: who sees an empty census after a drain was said can be
   * sure that nothing is on its way.
   */
  async admit(session: Session, spec: RunSpec): Promise<Admission> {
    const { control, policy } = this.deps;
    const claimant = claimantOf(sharedRunOf(session, spec.resources.class), await policy.read());
    const first = await this.ask(claimant);
    if (typeof first === 'string') return { admitted: false, reason: first, mayExist: false, queuedOnBackend: false };
    const state = await control.read();
    if (state.mode !== 'open') {
      const mayExist = first.taken && first.before;
      return { admitted: false, reason: heldText(state), mayExist, queuedOnBackend: false };
    }
    if (first.taken) return { admitted: true };
    return this.lineUp(claimant, first.full);
  }

  /** It is there, whatever the limits say. */
  async running(session: Session, { resources }: Pick<AttemptRecord, 'resources'>): Promise<void> {
    const run = sharedRunOf(session, resources?.class ?? 'cpu');
    await this.deps.slots.running(claimantOf(run, await this.deps.policy.read()));
  }

  /** Something has come free: whoever is next gets it. */
  async released(name: string): Promise<void> {
    if (!(await this.deps.slots.release(name))) return;
    const { mode } = await this.deps.control.read();
    if (mode === 'open') this.deps.granted.tell(await this.deps.queue.serve());
  }

  /** @returns why nothing can be launched, where it is not known what runs */
  private async ask(claimant: Claimant): Promise<Exclude<SlotAnswer, { readonly uncounted: true }> | string> {
    const { slots, count } = this.deps;
    const answer = await slots.ask(claimant, countedWithinMs);
    if (!('uncounted' in answer)) return answer;
    try {
      await count.recount();
    } catch (error) {
      if (!isFault(error) || error.kind !== 'transient') throw error;
      return uncounted(error.message);
    }
    const again = await slots.ask(claimant, countedWithinMs);
    return 'uncounted' in again ? uncounted('it was counted too long ago') : again;
  }

  /** It waits; unless it is next, or what is full is so because of places that belong to nobody. */
  private async lineUp({ run }: Claimant, full: SlotClaim | undefined): Promise<Admission> {
    const mayBeNext = full === undefined || (await this.prune());
    if (mayBeNext && (await this.serve(run.name))) return { admitted: true };
    return { admitted: false, ...(full && { reason: obstacleText(full) }), mayExist: false, queuedOnBackend: true };
  }

  /** @returns whether this run got a place */
  private async serve(name: string): Promise<boolean> {
    const granted = await this.deps.queue.serve();
    this.deps.granted.tell(granted.filter((one) => one !== name));
    return granted.includes(name);
  }

  /** True when places were found that belonged to nobody. */
  private async prune(): Promise<boolean> {
    const now = this.deps.clock.now();
    if (now - this.prunedAt < pruneApartMs) return false;
    this.prunedAt = now;
    return (await this.deps.pruner.prune()) > 0;
  }
}

const uncounted = (why: string): string => `nothing is launched before it is known what runs, which fails: ${why}`;
