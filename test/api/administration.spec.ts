import { claimantOf } from '@fleet/fair-shares';
import { aLaunchPolicy, anId, aSharedRun, useStarted } from '@fleet/testing';
import type { Orphan } from '@fleet/ports';
import { GatewayHarness } from './gateway-harness';

describe('the administration', () => {
  const gateway = useStarted('test', () => GatewayHarness.start());
  const put = (body: unknown) => gateway.send('PUT', '/v1/admin/launch', { body });

  it('pauses, drains and opens launches, and records the actor and the reason', async () => {
    expect((await gateway.get('/v1/admin/launch')).json()).toEqual({ mode: 'open', reason: '', by: '', since: '' });
    const paused = await put({ mode: 'paused', reason: 'the disk is changed', by: 'ada' });
    expect([paused.status, paused.json()]).toMatchObject([200, { mode: 'paused', reason: 'the disk is changed' }]);
    expect(await gateway.store.launches.read()).toMatchObject({ mode: 'paused', by: 'ada' });
    expect((await put({ mode: 'draining' })).json()).toMatchObject({ mode: 'draining', reason: '', by: '' });
    expect((await put({ mode: 'open' })).json()).toMatchObject({ mode: 'open' });
  });

  it.each([
    [{}, 'mode', 'field.missing'],
    [{ mode: 'closed' }, 'mode', 'field.value'],
    [{ mode: 'paused', reason: 'two\nlines' }, 'reason', 'field.value'],
    [{ mode: 'paused', reason: 'x'.repeat(501) }, 'reason', 'field.too_long'],
    [{ mode: 'paused', by: 7 }, 'by', 'field.type'],
    [{ mode: 'paused', resaon: 'x' }, 'resaon', 'field.unknown'],
    ['paused', 'body', 'field.type'],
  ])('refuses %j and changes nothing', async (body, field, code) => {
    const answer = await put(body);
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { problems: expect.arrayContaining([expect.objectContaining({ field, code })]) as unknown },
    ]);
    expect((await gateway.store.launches.read()).mode).toBe('open');
  });

  it('lists running and waiting sessions', async () => {
    const { slots } = gateway.store;
    await slots.running(claimantOf(aSharedRun('a', { proposal: 'mx2' }), aLaunchPolicy()));
    await slots.running(claimantOf(aSharedRun('b', { nodes: 'gpu' }), aLaunchPolicy()));
    await slots.waiting(aSharedRun('c'), 'held');
    expect((await gateway.get('/v1/admin/status')).json()).toEqual({
      launches: { mode: 'open', reason: '', by: '', since: '' },
      runs: 2,
      runsByClass: { cpu: 1, gpu: 1 },
      runsByProposal: { mx1: 1, mx2: 1 },
      waiting: 1,
      oldestWaitingSince: expect.any(String) as string,
    });
  });

  it('lists orphans, and requests the removal only of those with two sightings', async () => {
    const orphan = (name: string): Orphan => ({
      name,
      owner: { sessionId: anId(), cycle: 1, attempt: 1, proposal: 'mx1' },
      createdAt: '2026-11-21T08:00:00.000Z',
      reason: 'its session is unknown',
    });
    const { orphans } = gateway.store;
    await orphans.saw([orphan('old')], 0);
    await orphans.saw([orphan('old'), orphan('new')], 0);
    const listed = await gateway.get('/v1/admin/orphans');
    expect(listed.json()).toMatchObject({
      orphans: [
        { name: 'new', sightings: 1, removing: false },
        { name: 'old', sightings: 2, removing: false, reason: 'its session is unknown' },
      ],
    });
    const removal = await gateway.send('POST', '/v1/admin/orphans/removal');
    expect([removal.status, removal.json()]).toEqual([202, { removing: ['old'] }]);
    expect((await gateway.get('/v1/admin/orphans')).json()).toMatchObject({
      orphans: [{ removing: false }, { removing: true }],
    });
  });

  it('answers 404 when it is switched off', async () => {
    const other = await GatewayHarness.start({ options: { adminApi: false } });
    for (const path of ['status', 'launch', 'orphans']) {
      const answer = await other.get(`/v1/admin/${path}`);
      expect([answer.status, answer.json()]).toMatchObject([404, { code: 'route.not_found' }]);
    }
    expect((await other.send('PUT', '/v1/admin/launch', { body: { mode: 'paused' } })).status).toBe(404);
    expect((await other.store.launches.read()).mode).toBe('open');
    await other.stop();
  });
});
