import { describedMetrics, metricCatalogue } from '@fleet/contracts/metrics';
import { reading, type Metrics } from '@fleet/ports';
import { Logger } from '@nestjs/common';
import { ProcessMetrics } from './process-metrics';

let metrics: ProcessMetrics;
beforeEach(() => {
  Logger.overrideLogger(false);
  metrics = new ProcessMetrics();
});

/** The lines of one metric, without its description. */
const linesOf = async (name: string): Promise<readonly string[]> =>
  (await metrics.page()).split('\n').filter((line) => line.startsWith(name));

describe('a process metric', () => {
  it('is counted by its labels', async () => {
    metrics.count('phenix_fleet_steps_total', { step: 'decide', outcome: 'advanced' });
    metrics.count('phenix_fleet_steps_total', { step: 'decide', outcome: 'advanced' });
    metrics.count('phenix_fleet_steps_total', { step: 'cancel', outcome: 'stale' }, 3);
    await expect(linesOf('phenix_fleet_steps_total')).resolves.toEqual([
      'phenix_fleet_steps_total{step="decide",outcome="advanced"} 2',
      'phenix_fleet_steps_total{step="cancel",outcome="stale"} 3',
    ]);
  });

  it('is sorted into the buckets of the catalogue', async () => {
    metrics.observe('phenix_fleet_step_seconds', { step: 'decide' }, 0.003);
    const lines = await linesOf('phenix_fleet_step_seconds');
    expect(lines).toHaveLength(metricCatalogue.phenix_fleet_step_seconds.buckets.length + 3);
    expect(lines).toContain('phenix_fleet_step_seconds_bucket{le="0.0025",step="decide"} 0');
    expect(lines).toContain('phenix_fleet_step_seconds_bucket{le="0.005",step="decide"} 1');
  });

  it('is absent until it was measured', async () => {
    await expect(metrics.page()).resolves.not.toContain('phenix_fleet_');
  });
});

describe('metrics that are read on demand', () => {
  it('have current values, and disappear when they are no longer reported', async () => {
    let streams = [reading('phenix_fleet_event_streams', {}, 2)];
    metrics.onRead(() => Promise.resolve(streams));
    await expect(linesOf('phenix_fleet_event_streams')).resolves.toEqual(['phenix_fleet_event_streams 2']);
    streams = [];
    await expect(linesOf('phenix_fleet_event_streams')).resolves.toEqual([]);
  });

  it('are absent if they are unreadable, which is counted and does not affect others', async () => {
    metrics.onRead(() => Promise.reject(new Error('Redis is away')));
    metrics.onRead(() => Promise.resolve([reading('phenix_fleet_launches_open', {}, 1)]));
    const page = await metrics.page();
    expect(page).toContain('\nphenix_fleet_launches_open 1\n');
    expect(page).toContain('\nphenix_fleet_collection_errors_total 1\n');
  });

  it('are read once for all concurrent requests', async () => {
    let reads = 0;
    metrics.onRead(() => Promise.resolve([reading('phenix_fleet_event_streams', {}, (reads += 1))]));
    await Promise.all([metrics.page(), metrics.page(), metrics.page()]);
    expect(reads).toBe(1);
  });
});

describe('an invented id', () => {
  const madeUp = '01hzy3v7k8w9x0y1z2a3b4c5d6';
  /** A call that bypasses the compiler. */
  const measure = (name: string, type: string, labels: Readonly<Record<string, string>>): void => {
    const loose = metrics as Metrics as {
      count(name: string, labels: unknown): void;
      observe(name: string, labels: unknown, value: number): void;
    };
    if (type === 'counter') loose.count(name, labels);
    else if (type === 'histogram') loose.observe(name, labels, 1);
    else metrics.onRead(() => Promise.resolve([{ name, labels, value: 1 } as never]));
  };

  it.each(describedMetrics().filter(([, { labels }]) => Object.keys(labels).length > 0))(
    'never becomes a label of %s',
    async (name, { type, labels }) => {
      metrics.declare('route', ['/v1/sessions/:id']);
      metrics.declare('program', ['phenix.refine']);
      metrics.declare('target', ['site']);
      const all = Object.keys(labels);
      measure(name, type, Object.fromEntries(all.map((label) => [label, madeUp])));
      measure(name, type, {});
      measure(name, type, { ...Object.fromEntries(all.map((label) => [label, madeUp])), session: madeUp });
      const page = await metrics.page();
      expect(page).not.toContain(madeUp);
      expect(page).toContain(
        `{${type === 'histogram' ? 'le="+Inf",' : ''}${all.map((label) => `${label}="other"`).join(',')}}`,
      );
    },
  );

  it('is not a URL label either, whatever was requested', async () => {
    metrics.declare('route', ['/v1/sessions/:id']);
    for (const route of ['/v1/sessions/:id', `/v1/sessions/${madeUp}`, 'none'])
      metrics.count('phenix_fleet_http_requests_total', { route, method: 'GET', code: '200' });
    const lines = await linesOf('phenix_fleet_http_requests_total');
    expect(lines.map((line) => /route="(.*?)"/.exec(line)?.[1])).toEqual(['/v1/sessions/:id', 'other', 'none']);
  });
});
