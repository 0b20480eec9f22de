import { sql, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import type { UnitCell } from '@fleet/contracts/sessions';
import type { SessionFilter, SessionGroup, ValueRange } from '@fleet/ports';
import { lowered } from './searched-columns';
import type { Tables } from '../tables';

export type Condition = RawBuilder<SqlBool> | ReturnType<ExpressionBuilder<Tables, 'sessions'>['or']>;
type Sessions = ExpressionBuilder<Tables, 'sessions'>;

const groupColumns = ['status', 'outcome', 'proposal', 'beamline', 'batch', 'submitter'] as const;

export const groupConditions = (eb: Sessions, group: SessionGroup): readonly Condition[] =>
  groupColumns.flatMap((column) => {
    const wanted = group[column];
    return wanted === undefined ? [] : [eb(column, '=', wanted)];
  });

/** A LIKE pattern for a text anywhere, with wildcards escaped. */
const anywhere = (text: string): string => `%${lowered(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/**
 * A less specific pattern for the index, which reads the list of sessions for each trigram. Next to a number, which is
 * most selective, the beginnings of words are enough: `sample-17` is searched as `sam…-17`.
 */
const forIndex = (pattern: string): string =>
  /\d/.test(pattern) ? pattern.replaceAll(/(\p{L}{3})\p{L}+/gu, '$1%') : pattern;

const between = (column: RawBuilder<number>, { min, max }: ValueRange): readonly RawBuilder<SqlBool>[] => [
  ...(min === undefined ? [] : [sql<SqlBool>`${column} >= ${min}::double precision`]),
  ...(max === undefined ? [] : [sql<SqlBool>`${column} <= ${max}::double precision`]),
];

const near = (cell: UnitCell, { edges, angles }: NonNullable<SessionFilter['cells']>['within']): RawBuilder<SqlBool> =>
  sql.join(
    cell.flatMap((value, at) => {
      const margin = at < 3 ? value * edges : angles;
      return between(sql`reduced_cell[${sql.lit(at + 1)}]`, { min: value - margin, max: value + margin });
    }),
    sql` AND `,
  );

const cellConditions = ({ anyOf, within }: NonNullable<SessionFilter['cells']>): RawBuilder<SqlBool> => {
  const boxes = anyOf.map((cell) => sql`(${near(cell, within)})`);
  return sql`(reduced_cell IS NOT NULL AND (${sql.join(boxes, sql` OR `)}))`;
};

type Part = Exclude<keyof SessionFilter, keyof SessionGroup>;
type Wanted<K extends Part> = NonNullable<SessionFilter[K]>;

/** The condition for each part of a filter. */
const parts: { readonly [K in Part]: (wanted: Wanted<K>, eb: Sessions) => readonly Condition[] } = {
  text: (text) => [sql`searched LIKE ${forIndex(anywhere(text))}`, sql`strpos(searched, ${lowered(text)}) > 0`],
  failure: (text) => [sql`failure ILIKE ${anywhere(text)}`],
  ligand: (code) => [sql`ligands @> ARRAY[${code}]`],
  spaceGroup: (group, eb) => [eb('space_group', '=', group)],
  cells: (cells) => [cellConditions(cells)],
  resolution: (range) => between(sql`resolution`, range),
  rFree: (range) => between(sql`r_free`, range),
  mapCc: (range) => between(sql`map_cc`, range),
  program: (program) => [sql`programs @> ARRAY[${program}]`],
  since: (time, eb) => [eb('created_at', '>=', new Date(time))],
  until: (time, eb) => [eb('created_at', '<', new Date(time))],
  within: (reach, eb) => [
    eb.or(
      reach.map((one) => ('proposal' in one ? eb('proposal', '=', one.proposal) : eb('beamline', '=', one.beamline))),
    ),
  ],
};

/** All conditions of a filter. */
export const filterConditions = (eb: Sessions, filter: SessionFilter): readonly Condition[] => [
  ...groupConditions(eb, filter),
  ...(Object.keys(parts) as Part[]).flatMap((part) => {
    const wanted = filter[part];
    return wanted === undefined
      ? []
      : (parts[part] as (wanted: unknown, eb: Sessions) => readonly Condition[])(wanted, eb);
  }),
];
