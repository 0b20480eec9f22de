import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingDefinitions } from '@fleet/contracts/service';
import { aCycle, aNewSession, anEvent, anId, aSession, useStarted } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';

describe('the service', () => {
  const gateway = useStarted('test', () => GatewayHarness.start());
  const publish = (): Promise<void> =>
    gateway.store.catalogues.publish({
      backend: 'local',
      probedAt: '2026-11-21T08:00:00.000Z',
      programs: [{ program: 'phenix.refine', provider: 'open-phenix', version: 'Servalcat 0.4.142', command: ['/x'] }],
      withheld: [{ program: 'phenix.autosol', why: 'the site says so' }],
    });

  it('lists installed programs, and known programs that are not installed', async () => {
    await publish();
    expect((await gateway.get('/v1/programs')).json()).toMatchObject({
      programs: [
        { program: 'phenix.autosol', installed: false, withheld: 'the site says so' },
        { program: 'phenix.refine', installed: true, provider: 'open-phenix', version: 'Servalcat 0.4.142' },
        { program: 'phenix.xtriage', installed: false },
      ],
    });
  });

  it('lists the settings with their ranges', async () => {
    expect((await gateway.get('/v1/settings')).json()).toEqual({ settings: settingDefinitions });
  });

  describe('health', () => {
    it('reports a live process in every state of its parts', async () => {
      expect((await gateway.get('/health/live')).json()).toEqual({ status: 'ok' });
    });

    it('is degraded but ready without programs', async () => {
      const before = await gateway.get('/health/ready');
      expect([before.status, (before.json() as { status: string }).status]).toEqual([200, 'degraded']);
      expect((await gateway.get('/health/ready?strict=true')).status).toBe(503);
      await publish();
      const after = await gateway.get('/health/ready?strict=true');
      expect(after.json()).toMatchObject({ status: 'ok', details: { programs: { status: 'up', installed: 1 } } });
    });

    it('does not wait for a hanging probe', async () => {
      const probe = { name: 'redis', check: () => new Promise<never>(() => undefined) };
      const other = await GatewayHarness.start({ probes: () => [{ probe, failure: 'down' }] });
      const answer = await other.get('/health/ready');
      expect([answer.status, answer.text.includes('no answer within')]).toEqual([503, true]);
      await other.stop();
    });

    it('is not ready, with the reason, when a required probe fails', async () => {
      const probe = { name: 'redis', check: () => Promise.resolve({ healthy: false, detail: { reason: 'away' } }) };
      const other = await GatewayHarness.start({ probes: () => [{ probe, failure: 'down' }] });
      const answer = await other.get('/health/ready');
      expect(answer.status).toBe(503);
      expect(answer.json()).toMatchObject({
        code: 'service.not_ready',
        problems: [{ field: 'redis', reason: '{"reason":"away"}' }],
      });
      await other.stop();
    });
  });

  describe('recovery', () => {
    it('rebuilds lost sessions, leaves the others unchanged and names damaged files', async () => {
      const folderOf = (id: string): string => join(gateway.work, 'mx1', id);
      const lost = aSession({ cycle: 2, cycles: [aCycle()] });
      const there = anId();
      await gateway.store.records.create(aNewSession({ id: there }), [anEvent()], 1000);
      for (const session of [lost, aSession({ id: there })]) {
        await gateway.folder.writeSession({ ...session, folder: folderOf(session.id) });
      }
      mkdirSync(folderOf('damaged'));
      writeFileSync(join(folderOf('damaged'), 'session.json'), '{"id"');
      const answer = await gateway.send('POST', '/v1/recoveries');
      expect([answer.status, answer.json()]).toMatchObject([
        200,
        { recovered: [{ id: lost.id }], existing: [there], skipped: [{ folder: folderOf('damaged') }] },
      ]);
      expect(await gateway.store.records.load(lost.id)).toMatchObject({
        cycle: 2,
        status: 'running',
        folder: folderOf(lost.id),
      });
    });
  });
});
