// @needs helm
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chart, find, render } from './chart-command';

/** The files, and as what the ConfigMap has them. */
const dashboards = [
  ['fleet.json', 'phenix-fleet.json'],
  ['worker.json', 'phenix-fleet-worker.json'],
  ['statistics.json', 'phenix-fleet-statistics.json'],
] as const;
const textOf = (file: string): string => readFileSync(join(chart, 'files/dashboards', file), 'utf8');

describe('the dashboards for Grafana in the chart', () => {
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
