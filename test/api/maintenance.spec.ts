import type { MaintenanceView, MaintenanceWindow } from '@fleet/contracts/maintenance';
import { useStarted } from '@fleet/testing';
import { KeyedGateway } from './keyed-gateway';
import { GatewayHarness } from './gateway-harness';

const hour = 3_600_000;
const later = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();
const body = (more: object = {}): object => ({
  from: later(24),
  until: later(28),
  text: 'the disk is changed',
  ...more,
});

describe('maintenance', () => {
  const gateway = useStarted('test', () => GatewayHarness.start());

  const announce = (body: unknown) => gateway.send('POST', '/v1/admin/maintenance', { body });
  const announced = async (more: object = {}): Promise<MaintenanceWindow> =>
    (await announce(body(more))).json() as MaintenanceWindow;
  const change = (id: string, body: unknown) => gateway.send('PUT', `/v1/admin/maintenance/${id}`, { body });
  const cancel = (id: string) => gateway.send('POST', `/v1/admin/maintenance/${id}/cancellation`);
  const windows = async (): Promise<readonly MaintenanceWindow[]> =>
    ((await gateway.get('/v1/maintenance')).json() as MaintenanceView).windows;

  it('is announced with defaults, and listed in order of time', async () => {
    const answer = await announce(body({ by: 'ada', text: ' the disk is changed ' }));
    const window = answer.json() as MaintenanceWindow;
    expect([answer.status, window]).toMatchObject([
      201,
      { drainMinutes: 30, zone: 'Europe/Paris', by: 'ada', text: 'the disk is changed' },
    ]);
    const first = await announced({ from: later(-1), until: later(1) });
    expect((await windows()).map(({ id }) => id)).toEqual([first.id, window.id]);
  });

  it('accepts times of any zone, and stores the instant', async () => {
    const year = new Date().getUTCFullYear() + 1;
    const soon = `${String(year)}-01-05T08:00+01:00`;
    const window = await announced({ from: soon, until: `${String(year)}-01-05T12:00:00+01:00` });
    expect(window).toMatchObject({
      from: `${String(year)}-01-05T07:00:00.000Z`,
      until: `${String(year)}-01-05T11:00:00.000Z`,
    });
  });

  it.each([
    [{ from: undefined }, 'from', 'field.missing'],
    [{ text: undefined }, 'text', 'field.missing'],
    [{ text: '  ' }, 'text', 'field.value'],
    [{ text: 'two\nlines' }, 'text', 'field.value'],
    [{ text: 'x'.repeat(501) }, 'text', 'field.too_long'],
    [{ from: 'tomorrow' }, 'from', 'field.value'],
    [{ from: '2026-12-01T08:00' }, 'from', 'field.value'],
    [{ until: later(23) }, 'until', 'field.value'],
    [{ from: later(-2), until: later(-1) }, 'until', 'field.value'],
    [{ until: later(24 + 14 * 24 + 1) }, 'until', 'field.value'],
    [{ from: later(367 * 24), until: later(367 * 24 + 1) }, 'from', 'field.value'],
    [{ drainMinutes: -1 }, 'drainMinutes', 'field.value'],
    [{ drainMinutes: 1441 }, 'drainMinutes', 'field.value'],
    [{ drain: 10 }, 'drain', 'field.unknown'],
  ])('refuses %j, with nothing announced', async (more, field, code) => {
    const answer = await announce(body(more));
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { problems: expect.arrayContaining([expect.objectContaining({ field, code })]) as unknown },
    ]);
    expect(await windows()).toEqual([]);
  });

  it('is extended, with other fields unchanged', async () => {
    const window = await announced();
    const longer = later(30);
    const answer = await change(window.id, { until: longer, by: 'bob' });
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { ...window, until: longer, by: 'bob', announcedAt: expect.any(String) as unknown },
    ]);
    expect((await change(window.id, { until: later(23) })).status).toBe(400);
    expect(await windows()).toMatchObject([{ until: longer }]);
  });

  it('blocks launches while it is in progress, in every launch mode, until it is cancelled', async () => {
    const window = await announced({ from: later(-1), until: later(1) });
    const resumed = await gateway.send('PUT', '/v1/admin/launch', { body: { mode: 'open' } });
    expect(resumed.json()).toMatchObject({
      mode: 'paused',
      reason: 'the disk is changed',
      maintenance: { until: window.until },
    });
    expect((await gateway.get('/v1/counts')).json()).toMatchObject({ launches: { mode: 'paused' } });
    expect((await cancel(window.id)).json()).toEqual(window);
    expect((await gateway.get('/v1/admin/launch')).json()).toMatchObject({ mode: 'open' });
    expect(await windows()).toEqual([]);
  });

  it('that is unknown is neither changed nor cancelled', async () => {
    const { id } = await announced();
    await cancel(id);
    for (const answer of [await cancel(id), await change(id, { until: later(30) }), await cancel('x')])
      expect([answer.status, answer.json()]).toMatchObject([404, { code: 'maintenance.not_found' }]);
  });

  it('is announced only up to the limit', async () => {
    for (let number = 0; number < 50; number += 1) await announced();
    const answer = await announce(body());
    expect([answer.status, answer.json()]).toMatchObject([409, { code: 'maintenance.too_many' }]);
  });

  it('is recorded in the audit log, before and after the change', async () => {
    const window = await announced();
    await change(window.id, { text: 'the disk is not changed' });
    await cancel(window.id);
    const { entries } = (await gateway.get('/v1/admin/audit')).json() as { entries: readonly object[] };
    const object = `maintenance ${window.id}`;
    expect(entries).toMatchObject([
      { object, before: { text: 'the disk is not changed' } },
      { object, before: { text: 'the disk is changed' }, after: { text: 'the disk is not changed' } },
      { object, after: { text: 'the disk is changed', drainMinutes: 30 } },
    ]);
  });

  it('cannot be announced when the administration is switched off', async () => {
    const other = await GatewayHarness.start({ options: { adminApi: false } });
    expect((await other.send('POST', '/v1/admin/maintenance', { body: body() })).status).toBe(404);
    expect((await other.get('/v1/maintenance')).json()).toEqual({ windows: [] });
    await other.stop();
  });
});

describe('maintenance with keys', () => {
  it('is visible to every caller, and announced only by administrators', async () => {
    const keyed = await KeyedGateway.withKeys();
    const [admin, user] = [await keyed.key('root', 'admin'), await keyed.key('ada', 'user', { proposals: ['mx1'] })];
    const send = (headers: Record<string, string>) =>
      keyed.send('POST', '/v1/admin/maintenance', { body: body({ by: 'eve' }), headers });
    expect((await send(user)).status).toBe(403);
    expect((await send(admin)).json()).toMatchObject({ by: 'root' });
    expect((await keyed.get('/v1/maintenance', user)).json()).toMatchObject({ windows: [{ by: 'root' }] });
    expect((await keyed.get('/v1/maintenance')).status).toBe(401);
    const screen = await keyed.key('screen', 'kiosk', { beamlines: ['i04'] });
    expect((await keyed.get('/v1/maintenance', screen)).json()).toMatchObject({
      windows: [{ text: 'the disk is changed', by: '' }],
    });
    await keyed.stop();
  });
});
