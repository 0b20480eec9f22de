import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { sessionOutcomes, type SessionOutcome } from '@fleet/contracts/sessions';
import { solutionPaths, type Spread, type StatisticsGroup, type StatisticsGrouping } from '@fleet/contracts/statistics';
import type { SessionStatistics } from '@fleet/ports';
import { reachingStore, type StoreContext } from '../database';

type Filter = Parameters<SessionStatistics['groups']>[1];

interface Key {
  /** Of a row of `ended_sessions`. */
  readonly ended: RawBuilder<unknown>;
  /** Of a row of `sessions`; absent: only ended sessions have it. */
  readonly running?: RawBuilder<unknown>;
  /** Non-text group keys as text. */
  readonly text: RawBuilder<string>;
}

const same = (column: string): Key => ({ ended: sql.ref(column), running: sql.ref(column), text: sql`key` });

const keys: Readonly<Record<StatisticsGrouping, Key>> = {
  month: {
    ended: sql`month`,
    running: sql`date_trunc('month', created_at AT TIME ZONE 'UTC')`,
    text: sql`to_char(key, 'YYYY-MM')`,
  },
  beamline: same('beamline'),
  proposal: same('proposal'),
  submitter: same('submitter'),
  resolution: { ended: sql`floor(resolution * 2) / 2`, text: sql`coalesce(to_char(key, 'FM990.0'), '')` },
  path: { ended: sql`path`, text: sql`coalesce(key, '')` },
};

const both = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql`(${sql.join([sql`true`, ...conditions], sql` AND `)})`;
const either = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql`(${sql.join([sql`false`, ...conditions], sql` OR `)})`;
const equal = (column: string, value: string): RawBuilder<SqlBool> => sql`${sql.ref(column)} = ${value}`;

/** Both tables have these columns. */
const conditionOf = ({ since, until, within, ...group }: Filter): RawBuilder<SqlBool> =>
  both([
    ...(since === undefined ? [] : [sql<SqlBool>`created_at >= ${new Date(since)}`]),
    ...(until === undefined ? [] : [sql<SqlBool>`created_at < ${new Date(until)}`]),
    ...(['proposal', 'beamline', 'submitter'] as const).flatMap((column) => {
      const wanted = group[column];
      return wanted === undefined ? [] : [equal(column, wanted)];
    }),
    ...(within === undefined
      ? []
      : [
          either(
            within.map((one) =>
              'proposal' in one ? equal('proposal', one.proposal) : equal('beamline', one.beamline),
            ),
          ),
        ]),
  ]);

interface Counted {
  readonly key: string;
  readonly outcome: SessionOutcome;
  readonly count: number;
  readonly core_seconds: number;
  readonly gpu_seconds: number;
}

type Percentiles = readonly [p50: number, p95: number] | null;

const countsOf = (key: Key, condition: RawBuilder<SqlBool>): RawBuilder<Counted> => sql`
  WITH grouped AS (
    SELECT ${key.ended} AS key, outcome, count(*)::integer AS count, sum(core_seconds) AS core_seconds, sum(gpu_seconds) AS gpu_seconds
    FROM ended_sessions WHERE ${condition} GROUP BY 1, 2
  ) SELECT ${key.text} AS key, outcome, count, core_seconds, gpu_seconds FROM grouped`;

const timesOf = (
  key: Key,
  condition: RawBuilder<SqlBool>,
): RawBuilder<{ readonly key: string; readonly first: Percentiles; readonly whole: Percentiles }> => sql`
  WITH grouped AS (
    SELECT ${key.ended} AS key,
      percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY to_first_r_free) AS first,
      percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY to_end) AS whole
    FROM ended_sessions WHERE ${condition} GROUP BY 1
  ) SELECT ${key.text} AS key, first, whole FROM grouped`;

const runningOf = (
  { running, text }: Key,
  condition: RawBuilder<SqlBool>,
): RawBuilder<{ readonly key: string; readonly count: number }> | undefined =>
  running &&
  sql`
  WITH grouped AS (
    SELECT ${running} AS key, count(*)::integer AS count
    FROM sessions WHERE status IN ('running', 'cancelling') AND ${condition} GROUP BY 1
  ) SELECT ${text} AS key, count FROM grouped`;

const spreadOf = (found: Percentiles | undefined): Spread | undefined =>
  found == null ? undefined : { p50: found[0], p95: found[1] };

const groupOf = (
  key: string,
  unended: number,
  ended: readonly Counted[],
  times: { readonly first: Percentiles; readonly whole: Percentiles } | undefined,
): StatisticsGroup => {
  const counts = new Map(ended.map(({ outcome, count }) => [outcome, count]));
  const [toFirstRFree, toEnd] = [spreadOf(times?.first), spreadOf(times?.whole)];
  const sumOf = (name: 'count' | 'core_seconds' | 'gpu_seconds'): number =>
    ended.reduce((sum, one) => sum + one[name], 0);
  return {
    key,
    sessions: unended + sumOf('count'),
    unended,
    outcomes: Object.fromEntries(
      sessionOutcomes.map((outcome) => [outcome, counts.get(outcome) ?? 0]),
    ) as StatisticsGroup['outcomes'],
    coreHours: sumOf('core_seconds') / 3600,
    gpuHours: sumOf('gpu_seconds') / 3600,
    ...(toFirstRFree !== undefined && { toFirstRFree }),
    ...(toEnd !== undefined && { toEnd }),
  };
};

/** Unknown values come last. */
const rankOf = (by: StatisticsGrouping, { key, sessions }: StatisticsGroup): number => {
  if (by === 'month') return Date.parse(key);
  if (by === 'resolution') return key === '' ? Infinity : Number(key);
  if (by === 'path') return key === '' ? Infinity : solutionPaths.findIndex((path) => path === key);
  return -sessions;
};

const inOrder =
  (by: StatisticsGrouping) =>
  (one: StatisticsGroup, other: StatisticsGroup): number =>
    rankOf(by, one) - rankOf(by, other) || (one.key < other.key ? -1 : 1);

/**
 * Reads `ended_sessions`, and running sessions from `sessions`. Counts, times and running sessions are read in
 * parallel, each at its own moment.
 */
export class PostgresStatistics implements SessionStatistics {
  constructor(private readonly context: StoreContext) {}

  groups(by: StatisticsGrouping, filter: Filter): Promise<readonly StatisticsGroup[]> {
    const { db } = this.context;
    const [key, condition] = [keys[by], conditionOf(filter)];
    return reachingStore(async () => {
      const [counted, timed, running] = await Promise.all([
        countsOf(key, condition).execute(db),
        timesOf(key, condition).execute(db),
        runningOf(key, condition)?.execute(db),
      ]);
      const times = new Map(timed.rows.map((row) => [row.key, row]));
      const unended = new Map(running?.rows.map(({ key: name, count }) => [name, count]));
      const ended = new Map<string, Counted[]>();
      for (const row of counted.rows) ended.set(row.key, [...(ended.get(row.key) ?? []), row]);
      return [...new Set([...ended.keys(), ...unended.keys()])]
        .map((name) => groupOf(name, unended.get(name) ?? 0, ended.get(name) ?? [], times.get(name)))
        .sort(inOrder(by));
    });
  }
}
