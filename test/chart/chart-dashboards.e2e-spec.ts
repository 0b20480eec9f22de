// @needs cluster-tools
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { queriesOf, type GrafanaDashboard } from '../docs/grafana-dashboard';
import { chart, find, render, run } from './chart-command';

const text = readFileSync(join(chart, 'files/dashboards/fleet.json'), 'utf8');

describe('the dashboard for Grafana', () => {
  it('asks what promtool can parse', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-queries-'));
    const file = join(folder, 'queries.yaml');
    const rules = queriesOf(JSON.parse(text) as GrafanaDashboard).map((expr, at) => ({
      record: `query_${String(at)}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', '.*'),
    }));
    writeFileSync(file, dump({ groups: [{ name: 'queries', rules }] }));
    const { ok, all } = run('promtool', ['check', 'rules', file]);
    rmSync(folder, { recursive: true });
    expect(ok ? '' : all).toBe('');
    expect(rules.length).toBeGreaterThan(20);
  });

  it('is in a ConfigMap that a Grafana finds, as it stands in the file', () => {
    const made = find(render('shared-namespace'), 'ConfigMap', '-dashboards');
    expect(made.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    expect(made.metadata.annotations).toEqual({ grafana_folder: 'Facility' });
    const data = (made as unknown as { readonly data: Readonly<Record<string, string>> }).data;
    expect(JSON.parse(data['phenix-fleet.json'] ?? '')).toEqual(JSON.parse(text));
  });

  it('is not made unless the values say so', () => {
    expect(render('minimal').filter(({ metadata }) => metadata.name.endsWith('-dashboards'))).toEqual([]);
  });
});
