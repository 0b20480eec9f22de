import { isFault } from '@fleet/contracts/faults';
import type { RunSpec } from '@fleet/contracts/runs';
import type { AttemptRecord, Session } from '@fleet/contracts/sessions';
import { claimantOf, waitReasonText, type Claimant, type SlotClaim } from '@fleet/fair-shares';
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
  /**
   * `mayExist`: it was admitted before. `reason` is absent if other runs come first. `queuedOnBackend`: it is already
   * queued.
   */
  | {
      readonly admitted: false;
      readonly reason?: string;
      readonly mayExist: boolean;
      readonly queuedOnBackend: boolean;
    };

/** Milliseconds between two searches of this process for orphaned slots. */
const pruneApartMs = 5_000;
/** Milliseconds for which a run count is valid. Every executor counts again much sooner. */
const countedWithinMs = 600_000;

/**
 * Admits launches: unless an administrator or a maintenance window holds them, within the limits, and in the order of
 * the shares.
 */
export class LaunchGate {
  private prunedAt = 0;

  constructor(private readonly deps: LaunchGateDependencies) {}

  /**
   * Called before every launch. The slot is taken before the control is read: an administrator who sees an empty census
   * after a drain request can be sure that no launch is in progress.
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

  /** It runs already, whatever the limits. */
  async running(session: Session, { resources }: Pick<AttemptRecord, 'resources'>): Promise<void> {
    const run = sharedRunOf(session, resources?.class ?? 'cpu');
    await this.deps.slots.running(claimantOf(run, await this.deps.policy.read()));
  }

  /** A slot was released: the next run gets it. */
  async released(name: string): Promise<void> {
    if (!(await this.deps.slots.release(name))) return;
    const { mode } = await this.deps.control.read();
    if (mode === 'open') this.deps.granted.tell(await this.deps.queue.serve());
  }

  /** @returns why nothing can be launched, if the run count is unknown */
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
    return 'uncounted' in again ? uncounted('the last count is too old') : again;
  }

  /** Queues the run, unless it is next, or the limit is reached only because of orphaned slots. */
  private async lineUp({ run }: Claimant, full: SlotClaim | undefined): Promise<Admission> {
    const mayBeNext = full === undefined || (await this.prune());
    if (mayBeNext && (await this.serve(run.name))) return { admitted: true };
    return { admitted: false, ...(full && { reason: waitReasonText(full) }), mayExist: false, queuedOnBackend: true };
  }

  /** @returns whether this run got a slot */
  private async serve(name: string): Promise<boolean> {
    const granted = await this.deps.queue.serve();
    this.deps.granted.tell(granted.filter((one) => one !== name));
    return granted.includes(name);
  }

  /** Whether orphaned slots were found. */
  private async prune(): Promise<boolean> {
    const now = this.deps.clock.now();
    if (now - this.prunedAt < pruneApartMs) return false;
    this.prunedAt = now;
    return (await this.deps.pruner.prune()) > 0;
  }
}

const uncounted = (why: string): string => `no program starts until running programs are counted, which fails: ${why}`;
