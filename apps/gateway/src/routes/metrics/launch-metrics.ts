import type { ProposalGroup } from '@fleet/config';
import { sightingsOfOrphan } from '@fleet/contracts/launches';
import { CurrentShares } from '@fleet/launches';
import {
  LAUNCH_CONTROL,
  ORPHAN_REGISTER,
  reading,
  RUN_SLOTS,
  type LaunchControl,
  type OrphanRegister,
  type Reading,
  type RunSlots,
} from '@fleet/ports';
import { Inject, Injectable } from '@nestjs/common';
import { groupMetrics, slotMetrics } from './slot-metrics';

export const PROPOSAL_GROUPS = Symbol('ProposalGroups');

/** Running and waiting programs, and orphans. */
@Injectable()
export class LaunchMetrics {
  constructor(
    @Inject(RUN_SLOTS) private readonly slots: RunSlots,
    @Inject(LAUNCH_CONTROL) private readonly control: LaunchControl,
    @Inject(CurrentShares) private readonly shares: CurrentShares,
    @Inject(ORPHAN_REGISTER) private readonly orphans: OrphanRegister,
    @Inject(PROPOSAL_GROUPS) private readonly groups: readonly ProposalGroup[],
  ) {}

  async launches(): Promise<readonly Reading[]> {
    const [line, { policy }, { mode }] = await Promise.all([
      this.slots.line(),
      this.shares.view(),
      this.control.read(),
    ]);
    const open = mode === 'open';
    return [
      reading('phenix_fleet_launches_open', {}, Number(open)),
      ...slotMetrics(line, policy, open),
      ...groupMetrics(line, this.groups),
    ];
  }

  async orphanage(): Promise<readonly Reading[]> {
    const known = await this.orphans.list();
    const removable = known.filter(({ sightings }) => sightings >= sightingsOfOrphan).length;
    return [
      reading('phenix_fleet_orphans', { state: 'removable' }, removable),
      reading('phenix_fleet_orphans', { state: 'suspected' }, known.length - removable),
    ];
  }
}
