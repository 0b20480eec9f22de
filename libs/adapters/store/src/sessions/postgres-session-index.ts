import { sql, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import type { SessionPage, SessionRow } from '@fleet/contracts';
import {
  timeCursor,
  type SessionFilter,
  type SessionGroup,
  type SessionIndex,
  type SessionName,
  type SessionOrder,
} from '@fleet/ports';
import { reachingStore, type StoreContext } from '../database';
import { readTimeCursor, readTitleCursor, titleCursor } from '../list-cursor';
import { listedRow } from './stored-session';
import type { Tables } from '../tables';

type Sessions = ExpressionBuilder<Tables, 'sessions'>;

const groupColumns = ['status', 'outcome', 'proposal', 'beamline', 'batch', 'submitter'] as const;

const groupConditions = (eb: Sessions, group: SessionGroup) =>
  groupColumns.flatMap((column) => {
    const wanted = group[column];
    return wanted === undefined ? [] : [eb(column, '=', wanted)];
  });

const conditionsOf = (eb: Sessions, { since, until, within, text, ...group }: SessionFilter) => [
  ...groupConditions(eb, group),
  ...(since === undefined ? [] : [eb('created_at', '>=', new Date(since))]),
  ...(until === undefined ? [] : [eb('created_at', '<', new Date(until))]),
  ...(within === undefined
    ? []
    : [
        eb.or(
          within.map((one) =>
            'proposal' in one ? eb('proposal', '=', one.proposal) : eb('beamline', '=', one.beamline),
          ),
        ),
      ]),
  ...(text === undefined ? [] : [sql<SqlBool>`(starts_with(title, ${text}) OR starts_with(id, ${text}))`]),
];

/** How a list is sorted, and where a row stands in it. */
interface Sorting {
  readonly keys: readonly RawBuilder<unknown>[];
  readonly direction: 'asc' | 'desc';
  /** @throws Fault `list.bad_cursor` (caller) */
  readonly behind: (cursor: string) => RawBuilder<SqlBool>;
  readonly cursorOf: (row: SessionRow) => string;
}

const byTime = (direction: 'asc' | 'desc'): Sorting => ({
  keys: [sql`created_at`, sql`id`],
  direction,
  behind: (cursor) => {
    const [at, id] = readTimeCursor(cursor);
    return direction === 'desc'
      ? sql`(created_at, id) < (${at}::timestamptz, ${id})`
      : sql`(created_at, id) > (${at}::timestamptz, ${id})`;
  },
  cursorOf: timeCursor,
});

/** By title; with a text those whose id begins so come first. */
const byTitle = (text: string | undefined): Sorting => {
  const rank = text === undefined ? sql`'1'` : sql`CASE WHEN starts_with(id, ${text}) THEN '0' ELSE '1' END`;
  const name =
    text === undefined ? sql`title` : sql`CASE WHEN starts_with(id, ${text}) THEN '' ELSE title END COLLATE "C"`;
  return {
    keys: text === undefined ? [name, sql`id`] : [rank, name, sql`id`],
    direction: 'asc',
    behind: (cursor) => {
      const [of, title, id] = readTitleCursor(cursor);
      return sql`(${rank}, ${name}, id) > (${of}, ${title}, ${id})`;
    },
    cursorOf: ({ id, title }) =>
      titleCursor(text !== undefined && id.startsWith(text) ? ['0', '', id] : ['1', title, id]),
  };
};

const sortingOf = ({ text }: SessionFilter, order: SessionOrder): Sorting => {
  if (text !== undefined || order === 'title') return byTitle(text);
  return byTime(order === 'newest' ? 'desc' : 'asc');
};

export class PostgresSessionIndex implements SessionIndex {
  constructor(private readonly context: StoreContext) {}

  list(filter: SessionFilter, limit: number, cursor?: string, order: SessionOrder = 'newest'): Promise<SessionPage> {
    const sorting = sortingOf(filter, order);
    return reachingStore(async () => {
      let query = this.context.db
        .selectFrom('sessions')
        .selectAll()
        .where((eb) => eb.and(conditionsOf(eb, filter)))
        .limit(limit + 1);
      if (cursor !== undefined) query = query.where(sorting.behind(cursor));
      for (const key of sorting.keys) query = query.orderBy(key, sorting.direction);
      const rows = (await query.execute()).map(listedRow);
      const sessions = rows.slice(0, limit);
      const last = sessions.at(-1);
      return rows.length > limit && last !== undefined
        ? { sessions, nextCursor: sorting.cursorOf(last) }
        : { sessions };
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
      const found = await this.context.db.selectFrom('sessions').selectAll().where('id', 'in', ids).execute();
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
        .selectAll()
        .where(condition)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return found.map(listedRow);
    });
  }
}
