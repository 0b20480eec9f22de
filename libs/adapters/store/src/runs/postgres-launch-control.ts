import { sql } from 'kysely';
import type { LaunchState, SharesState } from '@fleet/contracts/launches';
import { launchesAt, type MaintenanceWindow } from '@fleet/contracts/maintenance';
import { asSaid, isoTime, openLaunches, windowsAhead, type LaunchControl, type SharesControl } from '@fleet/ports';
import { reachingStore, type Database, type StoreContext } from '../database';

/** An administrator's setting, by its name. */
const read = async <T>(db: Database, name: string): Promise<T | undefined> => {
  const row = await db.selectFrom('said').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value as T | undefined;
};

const write = async (db: Database, name: string, value: unknown): Promise<void> => {
  await db
    .insertInto('said')
    .values({ name, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`excluded.value` }))
    .execute();
};

export class PostgresLaunchControl implements LaunchControl {
  constructor(private readonly context: StoreContext) {}

  async read(): Promise<LaunchState> {
    const [said, windows] = await Promise.all([this.said(), this.windows()]);
    return launchesAt(said, windows, this.context.clock.now());
  }

  said(): Promise<LaunchState> {
    return reachingStore(async () => (await read<LaunchState>(this.context.db, 'launches')) ?? openLaunches);
  }

  set(said: Omit<LaunchState, 'since' | 'maintenance'>): Promise<LaunchState> {
    const { db, clock } = this.context;
    return reachingStore(() =>
      db.transaction().execute(async (tx) => {
        await tx.selectFrom('said').select('name').where('name', '=', 'launches').forUpdate().execute();
        const before = (await read<LaunchState>(tx, 'launches')) ?? openLaunches;
        const state = asSaid(said, before, isoTime(clock));
        await write(tx, 'launches', state);
        return state;
      }),
    );
  }

  windows(): Promise<readonly MaintenanceWindow[]> {
    return reachingStore(async () => {
      const found = await this.context.db.selectFrom('maintenance_windows').select('maintenance').execute();
      return windowsAhead(
        found.map(({ maintenance }) => maintenance),
        this.context.clock.now(),
      );
    });
  }

  async announce(window: MaintenanceWindow): Promise<void> {
    const ahead = (await this.windows()).map(({ id }) => id);
    await reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const over = tx.deleteFrom('maintenance_windows');
        await (ahead.length === 0 ? over : over.where('id', 'not in', ahead)).execute();
        await tx
          .insertInto('maintenance_windows')
          .values({ id: window.id, maintenance: JSON.stringify(window) })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ maintenance: sql`excluded.maintenance` }))
          .execute();
      }),
    );
  }

  change(window: MaintenanceWindow): Promise<boolean> {
    return reachingStore(async () => {
      const { numUpdatedRows } = await this.context.db
        .updateTable('maintenance_windows')
        .set({ maintenance: JSON.stringify(window) })
        .where('id', '=', window.id)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    });
  }

  cancel(id: string): Promise<boolean> {
    return reachingStore(async () => {
      const { db } = this.context;
      const { numDeletedRows } = await db
        .deleteFrom('maintenance_windows')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    });
  }
}

export class PostgresSharesControl implements SharesControl {
  constructor(private readonly context: StoreContext) {}

  read(): Promise<SharesState | undefined> {
    return reachingStore(() => read<SharesState>(this.context.db, 'shares'));
  }

  set(said: Omit<SharesState, 'since'>): Promise<SharesState> {
    return reachingStore(async () => {
      const state = { ...said, since: isoTime(this.context.clock) };
      await write(this.context.db, 'shares', state);
      return state;
    });
  }
}
