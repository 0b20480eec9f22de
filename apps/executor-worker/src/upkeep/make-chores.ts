import type { OrphanRegister, RunInventory, SessionStore } from '@fleet/ports';
import { OrphanWatch } from './orphan-watch';
import type { SlotPruner } from './slot-pruner';
import type { Chore } from './upkeep.service';

/** Milliseconds between two looks for places that belong to nobody. */
const pruneEveryMs = 30_000;
/** Milliseconds after which an administrator's wish to remove orphans is seen. */
const removeEveryMs = 5_000;

export interface ChoreDependencies {
  readonly pruner: SlotPruner;
  readonly register: OrphanRegister;
  readonly store: SessionStore;
  /** Absent where runs cannot outlive their records. */
  readonly inventory: RunInventory | undefined;
  readonly relistMs: number;
  readonly onError: (what: string, error: unknown) => void;
}

/** What every executor looks after besides its steps. */
export const makeChores = (deps: ChoreDependencies): readonly Chore[] => {
  const { pruner, inventory, relistMs } = deps;
  const prune = { what: 'giving back places of runs that are gone', everyMs: pruneEveryMs, act: () => pruner.prune() };
  if (inventory === undefined) return [prune];
  const orphans = new OrphanWatch({ ...deps, inventory, apartMs: relistMs });
  return [
    prune,
    { what: 'looking for orphans', everyMs: relistMs, act: () => orphans.look() },
    { what: 'removing orphans', everyMs: removeEveryMs, act: () => orphans.removeRequested() },
  ];
};
