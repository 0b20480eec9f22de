import { sql, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import type { SessionOrder, SessionPage, SessionRow } from '@fleet/contracts/sessions';
import type { SessionFilter, SessionGroup, SessionIndex, SessionName } from '@fleet/ports';
import { reachingStore, type StoreContext } from '../database';
import { filterConditions, groupConditions } from './session-conditions';
import { sortingOf } from './session-sorting';
import { listedRow, storedColumns } from './stored-session';
import type { Tables } from '../tables';

type Sessions = ExpressionBuilder<Tables, 'sessions'>;

export class PostgresSessionIndex implements SessionIndex {
  constructor(private readonly context: StoreContext) {}

  list(filter: SessionFilter, limit: number, cursor?: string, order: SessionOrder = '-created'): Promise<SessionPage> {
    return reachingStore(async () => {
      const { column, stretches, cursorOf } = sortingOf(order);
      const rows: (Parameters<typeof cursorOf>[0] & Parameters<typeof listedRow>[0])[] = [];
      for (const { where, orderBy } of stretches(cursor)) {
        if (rows.length > limit) break;
        // First the ids, then the displayed columns: an index with all filter and sort columns is read without the
        // rows.
        const page = this.context.db
          .selectFrom('sessions')
          .select('id')
          .where((eb) => eb.and([...filterConditions(eb, filter), where]))
          .orderBy(orderBy)
          .limit(limit + 1 - rows.length);
        const found = this.context.db.selectFrom('sessions').select([...storedColumns, `${column} as sorted`]);
        rows.push(...(await found.where('id', 'in', page).orderBy(orderBy).execute()));
      }
      const shown = rows.slice(0, limit);
      const sessions = shown.map(listedRow);
      const last = shown.at(-1);
      return rows.length > limit && last !== undefined ? { sessions, nextCursor: cursorOf(last) } : { sessions };
    });
  }

  count(group: SessionGroup): Promise<number> {
    return reachingStore(async () => {
      const { count } = await this.context.db
        .selectFrom('sessions')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where((eb) => eb.and(groupConditions(eb, group)))
        .executeTakeFirstOrThrow();
      return Number(count);
    });
  }

  find({ title, idBeginning }: SessionName, limit: number): Promise<readonly SessionRow[]> {
    return this.newest(limit, (eb) =>
      eb.or([
        eb('title', '=', title),
        ...(idBeginning === undefined ? [] : [sql<SqlBool>`starts_with(id, ${idBeginning})`]),
      ]),
    );
  }

  ofContent(digest: string, limit: number): Promise<readonly SessionRow[]> {
    return this.newest(limit, () => sql<SqlBool>`content @> ARRAY[${digest}]`);
  }

  rows(ids: readonly string[]): Promise<readonly (SessionRow | undefined)[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return reachingStore(async () => {
      const found = await this.context.db.selectFrom('sessions').select(storedColumns).where('id', 'in', ids).execute();
      const rows = new Map(found.map((row) => [row.id, listedRow(row)]));
      return ids.map((id) => rows.get(id));
    });
  }

  private newest(
    limit: number,
    condition: (eb: Sessions) => ReturnType<Sessions['or']> | RawBuilder<SqlBool>,
  ): Promise<readonly SessionRow[]> {
    return reachingStore(async () => {
      const found = await this.context.db
        .selectFrom('sessions')
        .select(storedColumns)
        .where(condition)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return found.map(listedRow);
    });
  }
}
