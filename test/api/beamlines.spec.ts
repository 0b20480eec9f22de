import { scopesOfRole } from '@fleet/contracts/route';
import type { ProblemDetails, SessionPage } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { KeyedGateway } from './keyed-gateway';
import { someReflections, type JsonAnswer } from './gateway-harness';

const codeOf = (answer: JsonAnswer): readonly unknown[] => [answer.status, (answer.json() as ProblemDetails).code];

describe('beamline staff and services', () => {
  const gateway = useStarted('test', () => KeyedGateway.withKeys({ eve: ['mx7'] }, {}, { mx2: ['i04', 'i24'] }));
  const submits = (
    headers: Record<string, string>,
    what: { proposal: string; beamline?: string; priority?: string },
  ): Promise<JsonAnswer> => gateway.submit({ files: [gateway.file('a.sca')], ...what }, headers);
  const titles = async (headers: Record<string, string>): Promise<number> =>
    ((await gateway.get('/v1/sessions', headers)).json() as SessionPage).sessions.length;

  it.each(['staff', 'service'] as const)(
    'submits as %s for visits that the facility has there, and for no others',
    async (role) => {
      const key = await gateway.key('eve', role, { proposals: ['mx1'], beamlines: ['i04'] });
      expect((await submits(key, { proposal: 'mx2', beamline: 'i04' })).status).toBe(201);
      expect((await submits(key, { proposal: 'mx1' })).status).toBe(201);
      expect((await submits(key, { proposal: 'mx7', beamline: 'i03' })).status).toBe(201);
      for (const what of [
        { proposal: 'mx3', beamline: 'i04' },
        { proposal: 'mx2', beamline: 'i24' },
        { proposal: 'mx2' },
        { proposal: '__proto__', beamline: 'i04' },
      ])
        expect([403, 400, 422]).toContain((await submits(key, what)).status);
      const refused = await submits(key, { proposal: 'mx3', beamline: 'i04' });
      expect(codeOf(refused)).toEqual([403, 'access.denied']);
      expect((refused.json() as ProblemDetails).detail).toContain('Proposal mx3 is not assigned to beamline i04.');
      expect(await titles(await gateway.key('root', 'admin'))).toBe(3);
    },
  );

  it('submit as a service to every proposal of their beamlines if the key allows it, without access to other proposals', async () => {
    const daq = await gateway.key('daq', 'service', { proposals: ['*'], beamlines: ['i04'] });
    expect((await submits(daq, { proposal: 'mx3', beamline: 'i04' })).status).toBe(201);
    for (const what of [{ proposal: 'mx3', beamline: 'i03' }, { proposal: 'mx3' }, { proposal: '*', beamline: 'i04' }])
      expect((await submits(daq, what)).status).toBeGreaterThanOrEqual(400);
    await gateway.session('mx3');
    await gateway.session('mx4', 'i03');
    expect(await titles(daq)).toBe(1);
    const results = gateway.file('../work/mx3/x/a.sca', someReflections);
    const body = { files: [results], proposal: 'mx3', beamline: 'i04' };
    expect((await gateway.submit(body, daq)).json()).toMatchObject({ problems: [{ code: 'file.missing' }] });
    expect(codeOf(await gateway.send('POST', '/v1/batches', { body: { proposal: 'mx3' }, headers: daq }))).toEqual([
      403,
      'access.denied',
    ]);
  });

  it('submit live at a beamline if the facility assigns the proposal to it or the key is for it, not by naming it', async () => {
    const policy = { liveAllowedFor: ['i04'] };
    const admin = await gateway.key('root', 'admin');
    await gateway.send('PUT', '/v1/admin/shares', { body: { policy }, headers: admin });
    const live = async (headers: Record<string, string>, proposal: string): Promise<number> =>
      (await submits(headers, { proposal, beamline: 'i04', priority: 'live' })).status;
    const eve = await gateway.key('eve', 'user', { proposals: ['mx1', 'mx2'] });
    expect([await live(eve, 'mx2'), await live(eve, 'mx1')]).toEqual([201, 422]);
    const refused = await submits(eve, { proposal: 'mx1', beamline: 'i04', priority: 'live' });
    expect((refused.json() as ProblemDetails).problems).toEqual([
      {
        code: 'field.value',
        field: 'priority',
        reason:
          'is live, which this site does not allow for proposal mx1; it does for beamline i04, but the proposal is not assigned to that beamline',
        allowed: 'standard, backfill',
      },
    ]);
    const daq = await gateway.key('daq', 'service', { proposals: ['*'], beamlines: ['i04'] });
    expect(await live(daq, 'mx1')).toBe(201);
    const batch = { proposal: 'mx1', defaults: { priority: 'live', beamline: 'i04' } };
    expect((await gateway.send('POST', '/v1/batches', { body: batch, headers: eve })).status).toBe(422);
    const there = { ...batch, proposal: 'mx2' };
    expect((await gateway.send('POST', '/v1/batches', { body: there, headers: eve })).status).toBe(201);
  });

  it('get a key for every proposal only from an administrator, for a service at beamlines', async () => {
    const body = { owner: 'daq', role: 'service', proposals: ['*'], beamlines: ['i04'] };
    const admin = await gateway.key('root', 'admin');
    const made = await gateway.send('POST', '/v1/admin/keys', { body: body, headers: admin });
    expect([made.status, made.json()]).toEqual([
      201,
      expect.objectContaining({ record: expect.objectContaining(body) as unknown }),
    ]);
    const staff = await gateway.key('eve', 'staff', { beamlines: ['i04'], scopes: scopesOfRole('admin') });
    expect(codeOf(await gateway.send('POST', '/v1/admin/keys', { body: body, headers: staff }))).toEqual([
      403,
      'access.denied',
    ]);
  });
});
