// @needs helm
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { chart, find, render, template } from './chart-command';

interface Groups {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly annotations: Readonly<Record<string, string>> }[];
  }[];
}

const file = load(readFileSync(join(chart, 'files/alerts.yaml'), 'utf8'));

describe('the alerts', () => {
  it('are made as they stand in the file, with what Prometheus fills in', () => {
    const made = find(render('shared-namespace', { 'metrics.rules.runbookUrl': '' }), 'PrometheusRule', '');
    expect(made.metadata.labels).toMatchObject({ release: 'monitoring' });
    expect(made.spec).toEqual(file);
  });

  it('are as a facility changes them, one by one', () => {
    const changes = {
      PhenixFleetBacklogOld: { expr: 'phenix_fleet_queue_oldest_seconds > 900', for: '1h', severity: 'info' },
      PhenixFleetNothingLaunches: { for: '30m', enabled: true },
      PhenixFleetModelsFail: { enabled: false },
    };
    const rulesOf = (over: Readonly<Record<string, unknown>>): Groups['groups'][number]['rules'] =>
      (find(render('shared-namespace', over), 'PrometheusRule', '').spec as unknown as Groups).groups[0]?.rules ?? [];
    const usual = new Map(rulesOf({}).map((rule) => [rule.alert, rule]));
    const [backlog, launches] = [usual.get('PhenixFleetBacklogOld'), usual.get('PhenixFleetNothingLaunches')];
    usual.delete('PhenixFleetModelsFail');
    expect(rulesOf({ 'metrics.rules.changes': changes })).toEqual([
      { ...backlog, expr: 'phenix_fleet_queue_oldest_seconds > 900', for: '1h', labels: { severity: 'info' } },
      { ...launches, for: '30m' },
      ...[...usual.values()].slice(2),
    ]);
  });

  it('are all known to the schema of the values, so that a misspelt one is refused', () => {
    const names = (file as Groups).groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    const changes = Object.fromEntries(names.map((name) => [name, { for: '1h' }] as const));
    expect(template('shared-namespace', { 'metrics.rules.changes': changes }).ok).toBe(true);
    const { ok, all } = template('shared-namespace', { 'metrics.rules.changes': { PhenixFleetBacklog: {} } });
    expect(ok ? '' : all).toContain("'PhenixFleetBacklog' not allowed");
  });

  it('link to their pages where the values say where those are', () => {
    const { groups } = find(render('shared-namespace'), 'PrometheusRule', '').spec as unknown as Groups;
    for (const { annotations } of groups.flatMap(({ rules }) => rules))
      expect(annotations['runbook_url']).toBe(
        annotations['runbook']?.replace('docs/runbooks', 'https://wiki.example.org/fleet'),
      );
  });

  it('are not made unless the values say so', () => {
    expect(render('minimal').filter(({ kind }) => kind === 'PrometheusRule')).toEqual([]);
  });
});
