import type { ExpectedWait } from '@fleet/contracts';
import { expectedWaits, type Nodes, type SharedRun } from '@fleet/fair-shares';
import { LAUNCH_CONTROL, RUN_SLOTS, type LaunchControl, type RunSlots } from '@fleet/ports';
import { heldText } from '@fleet/session-report';
import { Inject, Injectable } from '@nestjs/common';
import { CurrentShares } from './current-shares.service';

/** A program that is not submitted yet. */
export type NewRun = Omit<SharedRun, 'nodes' | 'submittedAt'> & {
  /** Either: on a GPU where there are some. */
  readonly nodes: Nodes | 'either';
};

/** How long programs would wait for their slots that are submitted now; made from the line that all executors share. */
@Injectable()
export class ExpectedWaits {
  constructor(
    @Inject(RUN_SLOTS) private readonly slots: RunSlots,
    @Inject(CurrentShares) private readonly shares: CurrentShares,
    @Inject(LAUNCH_CONTROL) private readonly control: LaunchControl,
  ) {}

  /** By their names, as if all were submitted at once in this order; one of which nobody can tell is left out. */
  async of(runs: readonly NewRun[]): Promise<ReadonlyMap<string, ExpectedWait>> {
    const [{ site, typicalMs, ...line }, { policy }, launches] = await Promise.all([
      this.slots.line(),
      this.shares.view(),
      this.control.read(),
    ]);
    if (launches.mode !== 'open') {
      const notOpen: ExpectedWait = {
        because: launches.maintenance === undefined ? 'no programs are launched just now' : heldText(launches),
      };
      return new Map(runs.map(({ name }) => [name, notOpen]));
    }
    if (site === undefined) return new Map();
    const submittedAt = line.census.now;
    const gpus = site.classes.gpu > 0 || typicalMs.gpu !== undefined;
    const nodesOf = (nodes: NewRun['nodes']): Nodes =>
      nodes === 'gpu' || (nodes === 'either' && gpus) ? 'gpu' : 'cpu';
    const wanted = runs.map((run) => ({ ...run, nodes: nodesOf(run.nodes), submittedAt }));
    return expectedWaits(line, wanted, { site, shares: policy }, typicalMs);
  }
}
