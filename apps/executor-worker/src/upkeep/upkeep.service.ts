import { Loop, type Round } from '@fleet/loop';
import type { OrphanRegister, SessionRecords } from '@fleet/ports';
import type { RunCount } from '../execute/run-count';
import type { RunEndings } from '../execute/run-endings.service';
import type { SlotPruner } from '../execute/slot-pruner';
import type { ExecutionSite } from '../execution-site';
import { OrphanWatch } from './orphan-watch';
import type { SiteWatch } from './site-watch';

export interface UpkeepDependencies {
  readonly endings: Pick<RunEndings, 'tryWaiting'>;
  readonly pruner: SlotPruner;
  readonly count: Pick<RunCount, 'recount'>;
  readonly register: OrphanRegister;
  readonly records: Pick<SessionRecords, 'loadHead'>;
  readonly execution: ExecutionSite;
  readonly site: Pick<SiteWatch, 'look' | 'tryOut'>;
  readonly onError: (what: string, error: unknown) => void;
}

/** In words, for the log; milliseconds between two rounds; what is done in each. */
type Chore = readonly [what: string, everyMs: number, act: Round];

const choresOf = (deps: UpkeepDependencies): readonly Chore[] => {
  const { endings, pruner, count, execution, site } = deps;
  const { backend, relistMs } = execution;
  const { inventory } = backend;
  const usual: readonly Chore[] = [
    // So late a slot that another executor released, or the opening of launches, is seen.
    ['looking at what waits', 2_000, () => endings.tryWaiting()],
    ['releasing the slots of runs that are gone', 30_000, () => pruner.prune()],
    ['counting what runs', 60_000, () => count.recount()],
    ['looking at the site', 120_000, () => site.look()],
    ['trying out the site', 3_000, (signal) => site.tryOut(signal)],
  ];
  // Where runs cannot outlive their records, there is no inventory.
  if (inventory === undefined) return usual;
  const orphans = new OrphanWatch({ ...deps, inventory, apartMs: relistMs });
  return [
    ...usual,
    ['looking for orphans', relistMs, () => orphans.look()],
    ['removing orphans', 5_000, () => orphans.removeRequested()],
  ];
};

/** What every executor looks after besides its steps, each in a loop of its own. Copies in other processes do no harm. */
export class Upkeep {
  private readonly loops: readonly Loop[];

  constructor(deps: UpkeepDependencies) {
    this.loops = choresOf(deps).map(
      ([what, everyMs, act]) =>
        new Loop(act, everyMs, (error) => {
          deps.onError(what, error);
        }),
    );
  }

  start(): void {
    for (const loop of this.loops) loop.start();
  }

  /** Waits for what is in progress. */
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
