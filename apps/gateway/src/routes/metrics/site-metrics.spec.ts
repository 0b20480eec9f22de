import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { DeliveryState, Webhook } from '@fleet/contracts/webhooks';
import { SiteMetrics } from './site-metrics';

const state = (failing: number, dead: number): DeliveryState => ({
  ...{ waiting: 0, delivered: 5, lost: 0 },
  ...{ failing, dead },
});

const metricsOf = (
  catalogue: ProgramCatalogue | undefined,
  states: Readonly<Record<string, DeliveryState>> = {},
): SiteMetrics =>
  new SiteMetrics(
    { of: () => Promise.resolve(catalogue) },
    { list: () => Promise.resolve(Object.keys(states).map((id) => ({ id }) as Webhook)) },
    { state: (id) => Promise.resolve(states[id]!) },
    { backend: 'local' },
  );

const program = (name: string, provider: 'phenix' | 'open-phenix'): ProgramCatalogue['programs'][number] => ({
  program: name,
  provider,
  version: '1',
  command: ['/bin/true'],
});

const shown = (read: Awaited<ReturnType<SiteMetrics['programs']>>): readonly string[] =>
  read.map(({ name, labels, value }) => `${name} ${Object.values(labels).join()} ${String(value)}`);

describe('SiteMetrics', () => {
  it('counts programs by provider, including providers without any', async () => {
    const programs = [
      program('phenix.refine', 'phenix'),
      program('phenix.phaser', 'phenix'),
      program('x', 'open-phenix'),
    ];
    const catalogue: ProgramCatalogue = { backend: 'local', probedAt: '2026-11-25T00:00:00Z', programs };
    expect(shown(await metricsOf(catalogue).programs())).toEqual([
      'phenix_fleet_programs phenix 2',
      'phenix_fleet_programs open-phenix 1',
      'phenix_fleet_programs simulated 0',
    ]);
  });

  it('reports no programs before an executor has published them', async () => {
    expect(await metricsOf(undefined).programs()).toEqual([]);
  });

  it('counts webhooks whose last try has failed, and dead notices', async () => {
    const read = await metricsOf(undefined, { a: state(0, 2), b: state(3, 1), c: state(0, 0) }).webhooks();
    expect(shown(read)).toEqual([
      'phenix_fleet_webhooks failing 1',
      'phenix_fleet_webhooks well 2',
      'phenix_fleet_webhook_notices_dead  3',
    ]);
  });
});
