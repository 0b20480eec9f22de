import type { ExpectedWait } from '@fleet/contracts/launches';
import { expectedWaits, type Nodes, type SharedRun } from '@fleet/fair-shares';
import { heldText } from '@fleet/session-report';
import { CurrentShares } from './current-shares';
import type { LaunchPorts } from './launch-ports';

/** A program that is not submitted yet. */
export type NewRun = Omit<SharedRun, 'nodes' | 'submittedAt'> & {
  /** `either`: on a GPU if there are any. */
  readonly nodes: Nodes | 'either';
};

/** Estimates how long programs that are submitted now would wait for their slots, from the queue that all executors share. */
export class ExpectedWaits {
  private readonly shares: CurrentShares;

  constructor(private readonly ports: Pick<LaunchPorts, 'slots' | 'control' | 'sharesControl' | 'configuredShares'>) {
    this.shares = new CurrentShares(ports);
  }

  /** Estimates by name, as if all were submitted at once in this order; programs without an estimate are omitted. */
  async of(runs: readonly NewRun[]): Promise<ReadonlyMap<string, ExpectedWait>> {
    const [{ site, typicalMs, ...line }, { policy }, launches] = await Promise.all([
      this.ports.slots.line(),
      this.shares.view(),
      this.ports.control.read(),
    ]);
    if (launches.mode !== 'open') {
      const notOpen: ExpectedWait = {
        reason: launches.maintenance === undefined ? 'no programs are launched at the moment' : heldText(launches),
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
