import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { unknownIn } from './asked-metrics';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { groups } = load(read('helm/phenix-fleet/files/alerts.yaml')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
describe.each(rules.map((rule) => [rule.alert, rule] as const))('the alert %s', (alert, rule) => {
  it('uses existing metrics and label values', () => {
    expect(unknownIn(rule.expr)).toEqual([]);
  });

  it('has a page with symptom, check and remedy', () => {
    const { runbook } = rule.annotations;
    expect(runbook).toMatch(/^docs\/runbooks\/[a-z-]+\.md$/);
    expect(existsSync(join(root, runbook))).toBe(true);
    const page = read(runbook);
    expect(page).toMatch(new RegExp(`^# ${alert}: `));
    for (const part of ['**Symptom.**', '## Check', '## Remedy']) expect(page).toContain(part);
  });

  it('has a severity, and fires and clears in promtool', () => {
    expect(['warning', 'critical']).toContain(rule.labels.severity);
    const tests = read('test/chart/alerts.test.yaml').split(`alertname: ${alert}`);
    expect(tests.length).toBeGreaterThanOrEqual(4);
  });
});

it('is listed in docs/operations.md', () => {
  const page = read('docs/operations.md');
  for (const { alert, annotations } of rules)
    expect(page).toContain(`[${alert}](${annotations.runbook.replace('docs/', '')})`);
});
