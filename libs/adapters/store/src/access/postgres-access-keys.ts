import type { Selectable } from 'kysely';
import { apiKeySchema, type ApiKey, type KeyRevocation } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import { isDescribed } from '@fleet/contracts/schema';
import type { AccessKeys, KeyUses } from '@fleet/ports';
import { reachingStore, type StoreContext } from '../database';
import type { AccessTables } from './access-tables';

/** @throws Fault `key.damaged` (bug): an unreadable key grants no access */
const keyOf = ({ id, key, revoked_at: at, revoked_by: by }: Selectable<AccessTables['access_keys']>): ApiKey => {
  if (!isDescribed(apiKeySchema, key) || key.id !== id)
    throw new Fault('key.damaged', 'bug', `the stored record of the key ${id} is damaged`);
  return at === null ? key : { ...key, revokedAt: at.toISOString(), revokedBy: by ?? '' };
};

export class PostgresAccessKeys implements AccessKeys, KeyUses {
  constructor(private readonly context: StoreContext) {}

  async create({ revokedAt, revokedBy = '', ...key }: ApiKey): Promise<void> {
    const made = await reachingStore(() =>
      this.context.db
        .insertInto('access_keys')
        .values({
          id: key.id,
          owner: key.owner,
          created_at: new Date(key.createdAt),
          expires_at: new Date(key.expiresAt),
          key: JSON.stringify(key),
          ...(revokedAt !== undefined && { revoked_at: new Date(revokedAt), revoked_by: revokedBy }),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow(),
    );
    if (made.numInsertedOrUpdatedRows === 0n)
      throw new Fault('key.exists', 'conflict', `The key ${key.id} exists already.`);
  }

  find(id: string): Promise<ApiKey | undefined> {
    return reachingStore(async () => {
      const { db } = this.context;
      const row = await db.selectFrom('access_keys').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : keyOf(row);
    });
  }

  list(): Promise<readonly ApiKey[]> {
    return reachingStore(async () => {
      const { db } = this.context;
      const rows = await db.selectFrom('access_keys').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map(keyOf);
    });
  }

  async revoke(id: string, { revokedAt, revokedBy }: Required<KeyRevocation>): Promise<ApiKey | undefined> {
    await reachingStore(() =>
      this.context.db
        .updateTable('access_keys')
        .set({ revoked_at: new Date(revokedAt), revoked_by: revokedBy })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .execute(),
    );
    return this.find(id);
  }

  any(): Promise<boolean> {
    return reachingStore(async () => {
      const { db } = this.context;
      return (await db.selectFrom('access_keys').select('id').limit(1).executeTakeFirst()) !== undefined;
    });
  }

  async used(id: string, at: string): Promise<void> {
    const { db } = this.context;
    await reachingStore(() =>
      db
        .updateTable('access_keys')
        .set({ used_at: new Date(at) })
        .where('id', '=', id)
        .execute(),
    );
  }

  lastUses(): Promise<Readonly<Record<string, string>>> {
    return reachingStore(async () => {
      const { db } = this.context;
      const rows = await db.selectFrom('access_keys').select(['id', 'used_at']).execute();
      return Object.fromEntries(rows.flatMap(({ id, used_at: at }) => (at === null ? [] : [[id, at.toISOString()]])));
    });
  }
}
