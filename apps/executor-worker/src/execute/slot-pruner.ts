import type { RunSlots, SessionRecords } from '@fleet/ports';
import { whyUnwanted } from './wanted-run';

/** Records read in parallel. */
const atOnce = 100;

/** Releases slots whose record does not execute that attempt, as after a crash between the two writes. */
export class SlotPruner {
  constructor(
    private readonly slots: RunSlots,
    private readonly records: Pick<SessionRecords, 'loadHead'>,
  ) {}

  /** @returns number of released slots */
  async prune(): Promise<number> {
    const members = await this.slots.members();
    let pruned = 0;
    for (let from = 0; from < members.length; from += atOnce) {
      const some = await Promise.all(members.slice(from, from + atOnce).map((name) => this.look(name)));
      pruned += some.filter((gone) => gone).length;
    }
    return pruned;
  }

  private async look(name: string): Promise<boolean> {
    if ((await whyUnwanted(this.records, name)) === undefined) return false;
    await this.slots.release(name);
    return true;
  }
}
