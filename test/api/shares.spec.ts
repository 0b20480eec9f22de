import type { SharesView } from '@fleet/contracts/launches';
import { attemptName } from '@fleet/contracts/runs';
import type { Session } from '@fleet/contracts/sessions';
import { claimantOf } from '@fleet/fair-shares';
import { aLaunchPolicy, aSharedRun, useStarted } from '@fleet/testing';
import { KeyedGateway } from './keyed-gateway';
import { GatewayHarness } from './gateway-harness';

describe('shares', () => {
  const gateway = useStarted('test', () => GatewayHarness.start());

  const put = (body: unknown) => gateway.send('PUT', '/v1/admin/shares', { body });
  const shown = async (): Promise<SharesView> => (await gateway.get('/v1/admin/shares')).json() as SharesView;
  const submitted = async (more: object = {}): Promise<Session> =>
    (await gateway.submit({ files: [gateway.file('data.sca')], proposal: 'mx1', ...more })).json() as Session;

  it('are those of the configuration until an administrator sets them, as a whole', async () => {
    expect(await shown()).toMatchObject({ setBy: 'configuration', by: '', policy: { maxPerProposal: 0 } });
    const set = await put({ policy: { maxPerProposal: 4, proposals: { mx1: { weight: 3 } } }, by: 'ada' });
    expect([set.status, set.json()]).toMatchObject([200, { setBy: 'administrator', by: 'ada' }]);
    await put({ policy: { maxPerUser: 2 }, by: 'bob' });
    expect(await shown()).toMatchObject({
      setBy: 'administrator',
      by: 'bob',
      policy: { maxPerProposal: 0, maxPerUser: 2, proposals: {}, backfillWaitsHours: 12 },
    });
  });

  it.each([
    [{}, 'policy', 'field.missing'],
    [{ policy: { maxPerPropsal: 3 } }, 'policy.maxPerPropsal', 'field.unknown'],
    [{ policy: { maxPerProposal: -1 } }, 'policy.maxPerProposal', 'field.value'],
    [{ policy: { maxPerProposal: '3' } }, 'policy.maxPerProposal', 'field.type'],
    [{ policy: { proposals: { mx1: { weight: 0 } } } }, 'policy.proposals.mx1.weight', 'field.value'],
    [{ policy: { liveAllowedFor: 'mx1' } }, 'policy.liveAllowedFor', 'field.type'],
    [{ policy: {}, by: 'two\nlines' }, 'by', 'field.value'],
  ])('refuse %j and stay as they are', async (body, field, code) => {
    const answer = await put(body);
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { problems: expect.arrayContaining([expect.objectContaining({ field, code })]) as unknown },
    ]);
    expect(await shown()).toMatchObject({ setBy: 'configuration' });
  });

  it('are set in the name of the key, not of the body', async () => {
    const keyed = await KeyedGateway.withKeys();
    const headers = await keyed.key('root', 'admin');
    await keyed.send('PUT', '/v1/admin/shares', { body: { policy: {}, by: 'bob' }, headers });
    expect(await keyed.store.shares.read()).toMatchObject({ by: 'root' });
    await keyed.stop();
  });

  it('allow no live submission until they permit it', async () => {
    const live = { files: [gateway.file('data.sca')], proposal: 'mx1', beamline: 'i04', priority: 'live' };
    const refused = await gateway.submit(live);
    expect([refused.status, refused.json()]).toMatchObject([
      422,
      { problems: [{ field: 'priority', code: 'field.value', allowed: 'standard, backfill' }] },
    ]);
    await put({ policy: { liveAllowedFor: ['i04'] } });
    expect((await submitted(live)).request.priority).toBe('live');
    expect((await gateway.submit({ ...live, beamline: 'i03' })).status).toBe(422);
  });

  const queueStatus = async (id: string): Promise<unknown> =>
    (await gateway.get(`/v1/sessions/${id}/queue-status`)).json();

  it('show the queue position of a session that waits for a slot', async () => {
    const { id } = await submitted();
    const { slots } = gateway.store;
    const policy = aLaunchPolicy({ maxRunning: 1 });
    await slots.counted(policy.site);
    await slots.ask(claimantOf(aSharedRun('another'), policy), 60_000);
    const { cycle, attempt } = (await gateway.store.records.loadHead(id))!;
    await slots.ask(claimantOf(aSharedRun(attemptName(id, cycle, attempt)), policy), 60_000);
    expect(await queueStatus(id)).toMatchObject({
      queueStatus: { reason: 'one program runs already, which is the limit', position: 1, of: 1 },
    });
  });

  it('show no queue position of a session that does not wait', async () => {
    const { id } = await submitted();
    expect(await queueStatus(id)).toEqual({});
  });

  it('answer 404 for an unknown session', async () => {
    expect((await gateway.get('/v1/sessions/0123456789abcdef0123/queue-status')).status).toBe(404);
  });
});
