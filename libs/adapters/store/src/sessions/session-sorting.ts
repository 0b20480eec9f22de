import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import type { SessionOrder, SessionSort } from '@fleet/contracts/sessions';
import { positionCursor, readPositionCursor, type Position } from '../list-cursor';
import type { SessionsTable } from './session-tables';

/** PostgreSQL columns, each with an index that sorts rows with equal values by time. */
const columns = {
  created: 'created_at',
  ended: 'ended_at',
  title: 'title',
  sample: 'sample',
  proposal: 'proposal',
  beamline: 'beamline',
  submitter: 'submitter',
  status: 'status',
  outcome: 'outcome',
  spaceGroup: 'space_group',
  resolution: 'resolution',
  rFree: 'r_free',
  mapCc: 'map_cc',
} as const satisfies Record<SessionSort, keyof SessionsTable>;

/** Types of the non-text columns. */
const types: Readonly<Record<string, RawBuilder<unknown>>> = {
  ended_at: sql`timestamptz`,
  resolution: sql`double precision`,
  r_free: sql`double precision`,
  map_cc: sql`double precision`,
};

type SortColumn = (typeof columns)[SessionSort];

/** A row with its value in the sort column. */
type SortedRow = Pick<Selectable<SessionsTable>, 'id' | 'created_at'> & {
  readonly sorted: Selectable<SessionsTable>[SortColumn];
};

/** Consecutive rows of a list that come from one index. */
interface Stretch {
  readonly where: RawBuilder<SqlBool>;
  readonly orderBy: RawBuilder<unknown>;
}

/** The sort order of a list, and the position of a row. */
export interface Sorting {
  readonly column: SortColumn;
  /**
   * The list, or the rest after a cursor, as stretches.
   * @throws Fault `list.bad_cursor` (caller)
   */
  readonly stretches: (cursor: string | undefined) => readonly Stretch[];
  readonly cursorOf: (row: SortedRow) => string;
}

const always = sql<SqlBool>`true`;

/** By creation time, then by id. */
const byTime = (isDescending: boolean) => ({
  orderBy: isDescending ? sql`created_at DESC, id DESC` : sql`created_at, id`,
  behind: ([, at, id]: Position): RawBuilder<SqlBool> =>
    isDescending
      ? sql`(created_at, id) < (${at}::timestamptz, ${id})`
      : sql`(created_at, id) > (${at}::timestamptz, ${id})`,
});

const cursorOf = ({ sorted, created_at: at, id }: SortedRow): string =>
  positionCursor([sorted instanceof Date ? sorted.toISOString() : sorted, at.toISOString(), id]);

export const sortingOf = (order: SessionOrder): Sorting => {
  const isDescending = order.startsWith('-');
  const name = columns[order.replace('-', '') as SessionSort];
  if (name === 'created_at') {
    const { orderBy, behind } = byTime(isDescending);
    const stretches: Sorting['stretches'] = (cursor) => [
      { where: cursor === undefined ? always : behind(readPositionCursor(cursor)), orderBy },
    ];
    return { column: name, stretches, cursorOf };
  }
  // The indexes sort equal values newest first; they are read backwards for the other direction.
  const alike = byTime(!isDescending);
  const column = sql.ref(name);
  const orderBy = isDescending ? sql`${column} DESC, ${alike.orderBy}` : sql`${column}, ${alike.orderBy}`;
  const unknown = (where: RawBuilder<SqlBool> = always): Stretch => ({
    where: sql`${column} IS NULL AND ${where}`,
    orderBy: alike.orderBy,
  });
  const stretches: Sorting['stretches'] = (cursor) => {
    if (cursor === undefined) return [{ where: sql`${column} IS NOT NULL`, orderBy }, unknown()];
    const position = readPositionCursor(cursor);
    const [value] = position;
    if (value === null) return [unknown(alike.behind(position))];
    const typed = sql`${value}::${types[name] ?? sql`text`}`;
    return [
      { where: sql`${column} = ${typed} AND ${alike.behind(position)}`, orderBy: alike.orderBy },
      { where: isDescending ? sql`${column} < ${typed}` : sql`${column} > ${typed}`, orderBy },
      unknown(),
    ];
  };
  return { column: name, stretches, cursorOf };
};
