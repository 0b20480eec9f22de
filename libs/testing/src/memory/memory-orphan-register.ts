import { strikesOfOrphan, type KnownOrphan } from '@fleet/contracts';
import { type Clock, isoOf, type Orphan, type OrphanRegister, systemClock } from '@fleet/ports';

interface Known extends KnownOrphan {
  readonly lastStrike: number;
}

/** The register's twin for tests of other parts: same rules (it passes the same contract), gone with the process. */
export class MemoryOrphanRegister implements OrphanRegister {
  private known = new Map<string, Known>();

  constructor(private readonly clock: Clock = systemClock) {}

  saw(orphans: readonly Orphan[], apartMs: number): Promise<void> {
    const now = this.clock.now();
    this.known = new Map(
      orphans.map((orphan) => {
        const before = this.known.get(orphan.name);
        if (before === undefined) {
          const first = { firstSeenAt: isoOf(now), strikes: 1, lastStrike: now, removing: false };
          return [orphan.name, { ...orphan, ...first }];
        }
        const counts = now - before.lastStrike >= apartMs;
        const struck = counts ? { strikes: before.strikes + 1, lastStrike: now } : {};
        return [orphan.name, { ...before, ...orphan, ...struck }];
      }),
    );
    return Promise.resolve();
  }

  list(): Promise<readonly KnownOrphan[]> {
    const sorted = [...this.known.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return Promise.resolve(
      sorted.map(({ name, owner, createdAt, because, firstSeenAt, strikes, removing }) => {
        return { name, owner, createdAt, because, firstSeenAt, strikes, removing };
      }),
    );
  }

  requestRemoval(): Promise<readonly string[]> {
    const names = [...this.known.values()].filter(({ strikes }) => strikes >= strikesOfOrphan).map(({ name }) => name);
    for (const name of names) {
      const known = this.known.get(name);
      if (known !== undefined) this.known.set(name, { ...known, removing: true });
    }
    return Promise.resolve(names.sort());
  }

  removed(name: string): Promise<void> {
    this.known.delete(name);
    return Promise.resolve();
  }
}
