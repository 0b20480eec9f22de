import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedMetrics } from '@fleet/contracts/metrics';
import { unknownIn } from './asked-metrics';
import { queriesOf, type GrafanaDashboard } from './grafana-dashboard';

const folder = join(__dirname, '../../helm/phenix-fleet/files/dashboards');
const dashboardOf = (name: string): GrafanaDashboard =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as GrafanaDashboard;
const names = readdirSync(folder);

describe.each(names)('the dashboard for Grafana %s', (name) => {
  const dashboard = dashboardOf(name);
  const { panels } = dashboard;

  it('asks Prometheus for metrics that exist', () => {
    expect(queriesOf(dashboard).flatMap(unknownIn)).toEqual([]);
  });

  it('describes each panel', () => {
    for (const { type, title, description = '' } of panels)
      expect([title, type === 'row' || /^[A-Z0-9].*\.$/.test(description)]).toEqual([title, true]);
  });

  it('has each panel once, without overlap', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const squares = panels.flatMap(({ title, gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => [`${String(x + (at % w))} ${String(y + Math.floor(at / w))}`, title]),
    );
    const taken = new Map<string | undefined, string | undefined>();
    for (const [square, title] of squares) {
      expect([square, taken.get(square)]).toEqual([square, undefined]);
      taken.set(square, title);
    }
  });
});

describe('the dashboards for Grafana', () => {
  it('show every metric except detailed ones', () => {
    const queries = names.flatMap((name) => queriesOf(dashboardOf(name))).join(' ');
    const left = describedMetrics().filter(([name]) => !queries.includes(name));
    expect(left.map(([name]) => name).sort()).toEqual([
      'phenix_fleet_audit_not_forwarded_total',
      'phenix_fleet_database_archiving_ok',
      'phenix_fleet_database_durable',
      'phenix_fleet_purge_failures_total',
      'phenix_fleet_purged_bytes_total',
      'phenix_fleet_purged_folders_total',
      'phenix_fleet_queue_jobs',
      'phenix_fleet_session_file_failures_total',
      'phenix_fleet_session_outcomes',
      'phenix_fleet_worker_backlog',
    ]);
  });

  it("select processes by the labels of the chart's PodMonitor", () => {
    const monitor = readFileSync(join(folder, '../../templates/monitoring/pod-monitor.yaml'), 'utf8');
    expect(monitor).toContain('podTargetLabels: [app.kubernetes.io/component]');
  });
});
