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

/** A text for the log; milliseconds between two rounds; the task. */
type Chore = readonly [what: string, everyMs: number, act: Round];

const choresOf = (deps: UpkeepDependencies): readonly Chore[] => {
  const { endings, pruner, count, execution, site } = deps;
  const { backend, relistMs } = execution;
  const { inventory } = backend;
  const usual: readonly Chore[] = [
    // Maximum delay until a slot that another executor released, or a resumption of launches, is noticed.
    ['checking waiting sessions', 2_000, () => endings.tryWaiting()],
    ['releasing orphaned slots', 30_000, () => pruner.prune()],
    ['counting running programs', 60_000, () => count.recount()],
    ['checking the site', 120_000, () => site.look()],
    ['running a trial of the site', 3_000, (signal) => site.tryOut(signal)],
  ];
  // If runs cannot outlive their records, there is no inventory.
  if (inventory === undefined) return usual;
  const orphans = new OrphanWatch({ ...deps, inventory, apartMs: relistMs });
  return [
    ...usual,
    ['looking for orphans', relistMs, () => orphans.look()],
    ['removing orphans', 5_000, () => orphans.removeRequested()],
  ];
};

/** Background tasks of every executor, each in its own loop. Copies in other processes do no harm. */
export class Upkeep {
  private readonly loops: readonly Loop[];

  constructor(deps: UpkeepDependencies) {
    this.loops = choresOf(deps).map(
      ([what, everyMs, act]) => new Loop(act, everyMs, (error) => deps.onError(what, error)),
    );
  }

  start(): void {
    for (const loop of this.loops) loop.start();
  }

  /** Waits for tasks in progress. */
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
