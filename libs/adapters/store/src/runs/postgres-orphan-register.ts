import { sightingsOfOrphan, type KnownOrphan } from '@fleet/contracts/launches';
import type { Orphan, OrphanRegister } from '@fleet/ports';
import { reachingStore, type StoreContext } from '../database';

export class PostgresOrphanRegister implements OrphanRegister {
  constructor(private readonly context: StoreContext) {}

  async saw(orphans: readonly Orphan[], apartMs: number): Promise<void> {
    const now = new Date(this.context.clock.now());
    const names = orphans.map(({ name }) => name);
    await reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const gone = tx.deleteFrom('orphans');
        await (names.length === 0 ? gone : gone.where('name', 'not in', names)).execute();
        for (const orphan of orphans) {
          const before = await tx
            .selectFrom('orphans')
            .selectAll()
            .where('name', '=', orphan.name)
            .forUpdate()
            .executeTakeFirst();
          const text = JSON.stringify(orphan);
          const first = { strikes: 1, first_seen_at: now, last_strike_at: now, removing: false };
          if (before === undefined)
            await tx
              .insertInto('orphans')
              .values({ name: orphan.name, orphan: text, ...first })
              .onConflict((conflict) => conflict.column('name').doNothing())
              .execute();
          else {
            const counts = now.getTime() - before.last_strike_at.getTime() >= apartMs;
            const struck = counts ? { strikes: before.strikes + 1, last_strike_at: now } : {};
            await tx
              .updateTable('orphans')
              .set({ orphan: text, ...struck })
              .where('name', '=', orphan.name)
              .execute();
          }
        }
      }),
    );
  }

  list(): Promise<readonly KnownOrphan[]> {
    return reachingStore(async () => {
      const found = await this.context.db.selectFrom('orphans').selectAll().orderBy('name').execute();
      return found.map(
        ({ orphan: { name, owner, createdAt, reason }, first_seen_at: at, strikes: sightings, removing }) => {
          return { name, owner, createdAt, reason, firstSeenAt: at.toISOString(), sightings, removing };
        },
      );
    });
  }

  requestRemoval(): Promise<readonly string[]> {
    return reachingStore(async () => {
      const found = await this.context.db
        .updateTable('orphans')
        .set({ removing: true })
        .where('strikes', '>=', sightingsOfOrphan)
        .returning('name')
        .execute();
      return found.map(({ name }) => name).sort();
    });
  }

  async removed(name: string): Promise<void> {
    await reachingStore(() => this.context.db.deleteFrom('orphans').where('name', '=', name).execute());
  }
}
