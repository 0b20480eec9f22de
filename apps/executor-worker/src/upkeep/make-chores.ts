import type { OrphanRegister, RunInventory, SessionRecords } from '@fleet/ports';
import type { RunEndings } from '../execute/run-endings.service';
import { OrphanWatch } from './orphan-watch';
import type { SiteWatch } from './site-watch';
import type { RunCount } from './run-count';
import type { SlotPruner } from './slot-pruner';
import type { Chore } from './upkeep.service';

/** Milliseconds between two looks for places that belong to nobody. */
const pruneEveryMs = 30_000;
/** Milliseconds between two counts of what runs; the first is made at once. */
const recountEveryMs = 60_000;
/** Milliseconds after which an administrator's wish to remove orphans is seen. */
const removeEveryMs = 5_000;

/** Milliseconds after which a place that another executor gave back, or the opening of launches, is seen. */
const tryWaitingEveryMs = 2_000;

export interface ChoreDependencies {
  readonly endings: Pick<RunEndings, 'tryWaiting'>;
  readonly pruner: SlotPruner;
  readonly count: Pick<RunCount, 'recount'>;
  readonly register: OrphanRegister;
  readonly records: Pick<SessionRecords, 'loadHead'>;
  /** Absent where runs cannot outlive their records. */
  readonly inventory: RunInventory | undefined;
  readonly relistMs: number;
  readonly site: Pick<SiteWatch, 'look' | 'tryOut'>;
  readonly onError: (what: string, error: unknown) => void;
}

/** Milliseconds between two looks at the site, and after which it is seen that an administrator wants a trial. */
const lookEveryMs = 120_000;
const tryOutEveryMs = 3_000;

/** What every executor looks after besides its steps. */
export const makeChores = (deps: ChoreDependencies): readonly Chore[] => {
  const { endings, pruner, count, inventory, relistMs, site } = deps;
  const retry = { what: 'looking at what waits', everyMs: tryWaitingEveryMs, act: () => endings.tryWaiting() };
  const prune = { what: 'releasing the slots of runs that are gone', everyMs: pruneEveryMs, act: () => pruner.prune() };
  const recount = { what: 'counting what runs', everyMs: recountEveryMs, act: () => count.recount() };
  const usual: readonly Chore[] = [
    retry,
    prune,
    recount,
    { what: 'looking at the site', everyMs: lookEveryMs, act: () => site.look() },
    { what: 'trying out the site', everyMs: tryOutEveryMs, act: (signal) => site.tryOut(signal) },
  ];
  if (inventory === undefined) return usual;
  const orphans = new OrphanWatch({ ...deps, inventory, apartMs: relistMs });
  return [
    ...usual,
    { what: 'looking for orphans', everyMs: relistMs, act: () => orphans.look() },
    { what: 'removing orphans', everyMs: removeEveryMs, act: () => orphans.removeRequested() },
  ];
};
