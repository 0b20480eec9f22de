// @needs cluster-tools
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { queriesOf, withAllChosen, type GrafanaDashboard } from '../docs/grafana-dashboard';
import { chart, run } from './chart-command';

const alerts = join(chart, 'files/alerts.yaml');
const promtool = (...args: readonly string[]): string => {
  const { ok, all } = run('promtool', args);
  return ok ? '' : all;
};

it('promtool sees each alert fire and clear', () => {
  expect(promtool('test', 'rules', join(__dirname, 'alerts.test.yaml'))).toBe('');
});

it('promtool finds no fault in the alerts', () => {
  expect(promtool('check', 'rules', '--lint=all', '--lint-fatal', alerts)).toBe('');
});

it.each(['fleet.json', 'worker.json'])('promtool parses every query of the dashboard %s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-queries-'));
  try {
    const dashboard = JSON.parse(readFileSync(join(chart, 'files/dashboards', name), 'utf8')) as GrafanaDashboard;
    const rules = queriesOf(dashboard).map((expr, at) => ({
      record: `query_${String(at)}`,
      expr: withAllChosen(expr),
    }));
    const file = join(folder, 'queries.yaml');
    writeFileSync(file, dump({ groups: [{ name: 'queries', rules }] }));
    expect(promtool('check', 'rules', file)).toBe('');
    expect(rules.length).toBeGreaterThan(12);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
