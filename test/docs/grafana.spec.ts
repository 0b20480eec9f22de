import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedMetrics } from '@fleet/contracts';
import { unknownIn } from './asked-metrics';
import { queriesOf, type GrafanaDashboard } from './grafana-dashboard';

const file = join(__dirname, '../../helm/phenix-fleet/files/dashboards/fleet.json');
const dashboard = JSON.parse(readFileSync(file, 'utf8')) as GrafanaDashboard;
const { panels } = dashboard;

describe('the dashboard for Grafana', () => {
  it.each(queriesOf(dashboard))('asks for what is told: %s', (expr) => {
    expect(unknownIn(expr)).toEqual([]);
  });

  it('says of each panel what it shows', () => {
    for (const { type, title, description = '' } of panels)
      expect([title, type === 'row' || /^[A-Z0-9].*\.$/.test(description)]).toEqual([title, true]);
  });

  it('has each panel once, in a place of its own', () => {
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

  it('shows every metric but those of a closer look', () => {
    const asked = queriesOf(dashboard).join(' ');
    const left = describedMetrics().filter(([name]) => !asked.includes(name));
    expect(left.map(([name]) => name).sort()).toEqual([
      'phenix_fleet_model_request_seconds',
      'phenix_fleet_queue_jobs',
      'phenix_fleet_reading_failed_total',
      'phenix_fleet_redis_persistence_ok',
      'phenix_fleet_session_outcomes',
      'phenix_fleet_step_seconds',
      'phenix_fleet_sweeper_sessions_total',
    ]);
  });
});
