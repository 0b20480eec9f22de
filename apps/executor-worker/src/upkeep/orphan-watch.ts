import type { Orphan, OrphanRegister, RunInventory, SessionRecords } from '@fleet/ports';
import { whyUnwanted } from '../execute/wanted-run';

export interface OrphanWatchDependencies {
  readonly inventory: RunInventory;
  readonly register: OrphanRegister;
  readonly records: Pick<SessionRecords, 'loadHead'>;
  /** Milliseconds between two looks that count: what the backend knows must have been renewed in between. */
  readonly apartMs: number;
  readonly onError: (what: string, error: unknown) => void;
}

/** Finds runs that no session record wants, and removes those that an administrator asked to be removed. Any number may watch. */
export class OrphanWatch {
  constructor(private readonly deps: OrphanWatchDependencies) {}

  /** Compares what the backend holds with the records. What has ended is not an orphan: it goes by itself. */
  async look(): Promise<void> {
    const { inventory, register, records, apartMs } = this.deps;
    // The inventory first: a run that it knows was wanted before it was made, so its record is at least as new.
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

  /** One that fails stays asked for, and is tried again at the next turn. */
  async removeRequested(): Promise<void> {
    const { inventory, register, records, onError } = this.deps;
    for (const orphan of (await register.list()).filter(({ removing }) => removing)) {
      // Somebody may have recovered its session meanwhile.
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
