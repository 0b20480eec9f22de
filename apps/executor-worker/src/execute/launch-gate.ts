import type { AttemptRecord, RunSpec, Session, LaunchState } from '@fleet/contracts';
import type { Clock, LaunchControl, RunSlots, SlotClaim } from '@fleet/ports';
import type { SlotPruner } from '../upkeep/slot-pruner';

/** Most runs at once, over all executors; 0: no limit. */
export interface LaunchLimits {
  readonly maxRunning: number;
  readonly maxRunningPerProposal: number;
  readonly ofClass: (resourceClass: RunSpec['resources']['class']) => number;
}

export interface LaunchGateDependencies {
  readonly slots: RunSlots;
  readonly control: LaunchControl;
  readonly pruner: Pick<SlotPruner, 'prune'>;
  readonly limits: LaunchLimits;
  readonly clock: Clock;
}

export type Admission =
  | { readonly admitted: true }
  /** `waitsFor` is equal for launches that wait for the same thing; `mayExist`: it was let through before. */
  | { readonly admitted: false; readonly because: string; readonly waitsFor: string; readonly mayExist: boolean };

/** Milliseconds between two looks of this process for places that belong to nobody. */
const pruneApartMs = 5_000;

/** Lets launches through one by one: while nobody has paused them, and within the limits. */
export class LaunchGate {
  private prunedAt = 0;

  constructor(private readonly deps: LaunchGateDependencies) {}

  /**
   * Asked before every launch. The place is taken before the control is read: who sees an empty census after a drain was said can be
   * sure that nothing is on its way.
   */
  async admit(spec: RunSpec): Promise<Admission> {
    const { slots, control } = this.deps;
    const claims = this.claims(spec.resources.class, spec.owner.proposal);
    const first = await slots.take(spec.name, claims);
    const state = await control.read();
    if (state.mode !== 'open') {
      return { admitted: false, because: closed(state), waitsFor: 'control', mayExist: first.taken && first.before };
    }
    const result = first.taken || !(await this.prune()) ? first : await slots.take(spec.name, claims);
    if (result.taken) return { admitted: true };
    return { admitted: false, because: fullSentence(result.full), waitsFor: result.full.key, mayExist: false };
  }

  /** It is there, whatever the limits say. */
  async running(name: string, session: Session, { resources }: Pick<AttemptRecord, 'resources'>): Promise<void> {
    await this.deps.slots.running(name, this.claims(resources?.class ?? 'cpu', session.request.proposal));
  }

  private claims(resourceClass: RunSpec['resources']['class'], proposal: string): readonly SlotClaim[] {
    const { maxRunning, maxRunningPerProposal, ofClass } = this.deps.limits;
    return [
      { key: 'all', limit: maxRunning },
      { key: `class:${resourceClass}`, limit: ofClass(resourceClass) },
      { key: `proposal:${proposal}`, limit: maxRunningPerProposal },
    ];
  }

  /** True when places were found that belonged to nobody. */
  private async prune(): Promise<boolean> {
    const now = this.deps.clock.now();
    if (now - this.prunedAt < pruneApartMs) return false;
    this.prunedAt = now;
    return (await this.deps.pruner.prune()) > 0;
  }
}

const closed = ({ mode, reason }: LaunchState): string => {
  const what = mode === 'draining' ? 'the service is being drained' : 'launches are paused';
  return reason === '' ? what : `${what}: ${reason}`;
};

const fullSentence = ({ key, limit }: SlotClaim): string => {
  const [kind, name = ''] = key.split(':');
  const which = { class: ` on nodes of class ${name}`, proposal: ` for proposal ${name}` }[kind ?? ''] ?? '';
  return `${limit === 1 ? 'one program runs' : `${limit} programs run`}${which} already, which is the limit`;
};
