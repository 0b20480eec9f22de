// @needs cluster-tools
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { queriesOf, withAllChosen, type GrafanaDashboard } from '../docs/grafana-dashboard';
import { chart, find, render, run } from './chart-command';

/** The files, and as what the ConfigMap has them. */
const dashboards = [
  ['fleet.json', 'phenix-fleet.json'],
  ['worker.json', 'phenix-fleet-worker.json'],
] as const;
const textOf = (file: string): string => readFileSync(join(chart, 'files/dashboards', file), 'utf8');

describe('the dashboards for Grafana', () => {
  it.each(dashboards)('ask what promtool can parse (%s)', (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-queries-'));
    const file = join(folder, 'queries.yaml');
    const rules = queriesOf(JSON.parse(textOf(name)) as GrafanaDashboard).map((expr, at) => ({
      record: `query_${String(at)}`,
      expr: withAllChosen(expr),
    }));
    writeFileSync(file, dump({ groups: [{ name: 'queries', rules }] }));
    const { ok, all } = run('promtool', ['check', 'rules', file]);
    rmSync(folder, { recursive: true });
    expect(ok ? '' : all).toBe('');
    expect(rules.length).toBeGreaterThan(12);
  });

  it('are in a ConfigMap that a Grafana finds, as they stand in their files', () => {
    const made = find(render('shared-namespace'), 'ConfigMap', '-dashboards');
    expect(made.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    expect(made.metadata.annotations).toEqual({ grafana_folder: 'Facility' });
    const data = (made as unknown as { readonly data: Readonly<Record<string, string>> }).data;
    for (const [file, key] of dashboards) expect(JSON.parse(data[key] ?? '')).toEqual(JSON.parse(textOf(file)));
    expect(Object.keys(data)).toHaveLength(dashboards.length);
  });

  it('are not made unless the values say so', () => {
    expect(render('minimal').filter(({ metadata }) => metadata.name.endsWith('-dashboards'))).toEqual([]);
  });
});
