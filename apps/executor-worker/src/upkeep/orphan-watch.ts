import type { Orphan, OrphanRegister, RunInventory, SessionRecords } from '@fleet/ports';
import { whyUnwanted } from '../execute/wanted-run';

export interface OrphanWatchDependencies {
  readonly inventory: RunInventory;
  readonly register: OrphanRegister;
  readonly records: Pick<SessionRecords, 'loadHead'>;
  /** Milliseconds between two counted sightings: the backend must have refreshed its list in between. */
  readonly apartMs: number;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * Finds runs that no session record needs, and removes those that an administrator wants removed. Any number may run.
 */
export class OrphanWatch {
  constructor(private readonly deps: OrphanWatchDependencies) {}

  /** Compares the backend's runs with the records. An ended run is not an orphan: it disappears by itself. */
  async look(): Promise<void> {
    const { inventory, register, records, apartMs } = this.deps;
    // The inventory first: a run in it was needed before it was created, so its record is at least as new.
    const alive = (await inventory.list()).filter(({ ended }) => !ended);
    const orphans: Orphan[] = [];
    for (const entry of alive) {
      const reason = await whyUnwanted(records, entry.name);
      if (reason === undefined) continue;
      const { name, owner, createdAt } = entry;
      orphans.push({ name, owner, createdAt, reason });
    }
    await register.saw(orphans, apartMs);
  }

  /** A failed removal stays requested, and is retried in the next round. */
  async removeRequested(): Promise<void> {
    const { inventory, register, records, onError } = this.deps;
    for (const orphan of (await register.list()).filter(({ removing }) => removing)) {
      // Its session may have been recovered meanwhile.
      if ((await whyUnwanted(records, orphan.name)) === undefined) continue;
      try {
        await inventory.remove(orphan.name);
        await register.removed(orphan.name);
      } catch (error) {
        onError(`removing the orphan ${orphan.name}`, error);
      }
    }
  }
}
