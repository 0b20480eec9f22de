import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Statistics, StatisticsGroup } from '@fleet/contracts/statistics';
import { fillStatistics } from '../dashboard/shown-statistics';
import { openStore, startServers, type OpenStore, type Servers } from '../support/servers';
import type { GrafanaDashboard } from './grafana-dashboard';

const file = join(__dirname, '../../helm/phenix-fleet/files/dashboards/statistics.json');
const dashboard = JSON.parse(readFileSync(file, 'utf8')) as GrafanaDashboard & {
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly query: string }[];
  };
};
const panels = dashboard.panels.flatMap(({ title, type, targets = [] }) =>
  targets.map(({ rawSql = '' }) => ({ title, type, rawSql })),
);

/** As Grafana sends it: values of variables are quoted, times are literals. */
const interpolated = (query: string, variables: Readonly<Record<string, readonly string[]>>): string =>
  query
    .replaceAll(/\$__timeFilter\((\w+)\)/g, "$1 BETWEEN '2000-01-01T00:00:00Z' AND '2100-01-01T00:00:00Z'")
    .replaceAll(/\$(proposal|beamline)/g, (_, name: string) =>
      (variables[name] ?? []).map((value) => `'${value.replaceAll("'", "''")}'`).join(','),
    );

type Row = Readonly<Record<string, unknown>>;

describe('the dashboard for Grafana of statistics', () => {
  let servers: Servers;
  let open: OpenStore;
  let reader: Client;
  const variables: Record<string, readonly string[]> = {};
  beforeAll(async () => {
    servers = await startServers();
    await fillStatistics(servers.databaseUrl, 6);
    open = await openStore(servers.databaseUrl);
    reader = new Client({ connectionString: servers.databaseUrl });
    await reader.connect();
    const { rows } = await reader.query<{ name: string }>(
      "SELECT quote_ident('fleet_reader_' || current_database()) AS name",
    );
    await reader.query(`SET ROLE ${rows[0]?.name ?? ''}`);
    for (const { name, type, query } of dashboard.templating.list)
      if (type === 'query') variables[name] = (await rowsOf(query)).map((row) => String(Object.values(row)[0]));
  });
  afterAll(async () => {
    await reader.end();
    await open.close();
    await servers.stop();
  });

  const rowsOf = async (query: string): Promise<readonly Row[]> =>
    (await reader.query<Row>(interpolated(query, variables))).rows;
  const shownBy = (title: string): Promise<readonly Row[]> =>
    rowsOf(panels.find((panel) => panel.title === title)?.rawSql ?? '');
  const total = (groups: readonly StatisticsGroup[], figure: (group: StatisticsGroup) => number): number =>
    groups.reduce((sum, group) => sum + figure(group), 0);

  it('offers every proposal and beamline, and none', () => {
    expect(variables).toEqual({
      proposal: ['mx1001', 'mx1002', 'mx1003', 'mx1004', 'mx1005', 'mx1006'],
      beamline: ['', 'i03', 'i04', 'i24'],
    });
  });

  it.each(panels)('$title: its query is answered to the reader role', async ({ type, rawSql }) => {
    const rows = await rowsOf(rawSql);
    expect(rows.length).toBeGreaterThan(0);
    const [row = {}] = rows;
    const [first, ...others] = Object.keys(row);
    if (type === 'timeseries') expect([first, row['time'] instanceof Date]).toEqual(['time', true]);
    else if (type === 'stat') expect([rows.length, others]).toEqual([1, []]);
    else expect([typeof row[first ?? ''], others.length > 0]).toEqual(['string', true]);
  });

  it('shows the values of GET /v1/statistics', async () => {
    const groups = await open.store.statistics.groups('month', {});
    const [sessions] = await shownBy('Sessions');
    expect(Number(sessions?.['sessions'])).toBe(total(groups, (group) => group.sessions));
    const byMonth = await shownBy('Sessions by month');
    const solved = byMonth.filter(({ metric }) => metric === 'solved');
    expect(solved.map(({ value }) => Number(value))).toEqual(groups.map(({ outcomes }) => outcomes.solved));
    const toEnd = await shownBy('Time to end');
    expect(toEnd.map(({ p50, p95 }) => ({ p50: Number(p50), p95: Number(p95) }))).toEqual(
      groups.map((group) => group.toEnd),
    );
    const hours = await shownBy('Hours by proposal');
    expect(hours.reduce((sum, row) => sum + Number(row['core_hours']), 0)).toBeCloseTo(
      total(groups, ({ coreHours }) => coreHours),
    );
    const paths: Statistics['groups'] = await open.store.statistics.groups('path', {});
    const byPath = new Map((await shownBy('Solved by path')).map(({ path, solved: share }) => [path, Number(share)]));
    for (const { key, sessions: ended, outcomes } of paths)
      expect(byPath.get(key)).toBeCloseTo(outcomes.solved / ended);
  });

  it('applies the selection', async () => {
    const all = { ...variables };
    variables['proposal'] = ["mx1001'); --"];
    expect(await shownBy('Sessions')).toEqual([{ sessions: '0' }]);
    variables['proposal'] = ['mx1001'];
    expect(await shownBy('Sessions')).toEqual([{ sessions: '13' }]);
    Object.assign(variables, all);
  });
});
