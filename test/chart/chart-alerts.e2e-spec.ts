// @needs cluster-tools
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { chart, find, render, run } from './chart-command';

interface Groups {
  readonly groups: readonly {
    readonly rules: readonly { readonly annotations: Readonly<Record<string, string>> }[];
  }[];
}

const file = load(readFileSync(join(chart, 'files/alerts.yaml'), 'utf8'));
const tests = join(__dirname, 'alerts.test.yaml');

describe('the alerts', () => {
  it('each fire and clear, as promtool sees it', () => {
    const { ok, all } = run('promtool', ['test', 'rules', tests]);
    expect(ok ? '' : all).toBe('');
  });

  it('are rules that promtool finds nothing to say against', () => {
    const { ok, all } = run('promtool', [
      'check',
      'rules',
      '--lint=all',
      '--lint-fatal',
      join(chart, 'files/alerts.yaml'),
    ]);
    expect(ok ? '' : all).toBe('');
  });

  it('are made as they stand in the file, with what Prometheus fills in', () => {
    const made = find(render('shared-namespace', { 'metrics.rules.runbookUrl': '' }), 'PrometheusRule', '');
    expect(made.metadata.labels).toMatchObject({ release: 'monitoring' });
    expect(made.spec).toEqual(file);
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
