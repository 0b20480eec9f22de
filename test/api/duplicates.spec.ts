import type { BatchResultPage } from '@fleet/contracts/batches';
import type { SessionPage, SessionView } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { BatchClient } from './batch-client';
import { KeyedGateway } from './keyed-gateway';
import { aModel, someReflections } from './gateway-harness';

describe('datasets that were submitted before', () => {
  let ada: Record<string, string>;
  const gateway = useStarted('test', () => KeyedGateway.withKeys());
  beforeEach(async () => {
    ada = await gateway.key('ada', 'user', { proposals: ['mx1', 'mx2'] });
  });

  const submitted = async (body: object, headers = ada): Promise<SessionView> => {
    const answer = await gateway.submit({ proposal: 'mx1', ...body }, headers);
    expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, '']);
    return answer.json() as SessionView;
  };
  const similarTo = ({ similar = [] }: SessionView): readonly string[] =>
    similar.map(({ sessionId, same }) => `${sessionId} ${same}`);
  const end = async (id: string, reason: 'converged' | 'infrastructure'): Promise<void> => {
    const to = { ended: { reason, detail: 'so it is', afterCycle: 1 } };
    await gateway.store.records.advance({ sessionId: id, fromVersion: 1, to, events: [], dueInMs: 1 });
  };
  const { made, rowsOf, lookedAt } = new BatchClient(gateway, () => ada);
  const make = async (body: object): Promise<string> => (await made({ proposal: 'mx1', ...body })).id;
  const count = async (): Promise<number> =>
    ((await gateway.get('/v1/sessions', ada)).json() as SessionPage).sessions.length;

  it('are listed in the answer, duplicates first, and started anyway', async () => {
    const [file, copy, model] = [
      gateway.file('x1.sca'),
      gateway.file('copies/again.sca', someReflections),
      gateway.file('m.pdb', aModel),
    ];
    const first = await submitted({ files: [file, model], title: 'first' });
    expect(first).not.toHaveProperty('similar');
    const alone = await submitted({ files: [file] });
    expect(similarTo(alone)).toEqual([`${first.id} data`]);
    await end(first.id, 'converged');
    const again = await submitted({ files: [model, copy], title: 'again' });
    expect(similarTo(again)).toEqual([`${first.id} everything`, `${alone.id} data`]);
    expect(again.similar?.[0]).toMatchObject({ title: 'first', status: 'completed', href: `/v1/sessions/${first.id}` });
    const advised = await submitted({ files: [file, model], advice: 'stop after the first refinement' });
    expect(similarTo(advised)).toEqual([again, alone, first].map(({ id }) => `${id} data`));
  });

  it('are listed again when a submission is repeated', async () => {
    const body = { files: [gateway.file('x1.sca')] };
    const first = await submitted(body);
    const headers = { ...ada, 'idempotency-key': 'k1' };
    const second = await submitted(body, headers);
    expect(similarTo(await submitted(body, headers))).toEqual([`${first.id} everything`]);
    expect(similarTo(second)).toEqual([`${first.id} everything`]);
  });

  it('are never those of another proposal, for any caller', async () => {
    const body = { files: [gateway.file('x1.sca')] };
    await submitted({ ...body, proposal: 'mx2' });
    expect(await submitted(body)).not.toHaveProperty('similar');
    const root = await gateway.key('root', 'admin');
    expect(similarTo(await submitted({ ...body, proposal: 'mx3' }, root))).toEqual([]);
  });

  it('are not duplicates if the request differs', async () => {
    const body = { files: [gateway.file('x1.sca')] };
    const first = await submitted(body);
    const change = { body: { advice: 'just run xtriage' }, headers: { ...ada, 'if-match': '"1"' } };
    expect((await gateway.send('PUT', `/v1/sessions/${first.id}/advice`, change)).status).toBe(200);
    expect(similarTo(await submitted(body))).toEqual([`${first.id} data`]);
  });

  it('are reported for rows of a batch, which starts them unless its setting is to skip them', async () => {
    const files = [gateway.file('x1.sca')];
    const first = await submitted({ files });
    const id = await make({
      rows: [
        { files, title: 'again' },
        { files, settings: { max_cycles: 3 } },
      ],
    });
    await lookedAt(id);
    expect(await rowsOf(id)).toMatchObject([
      { state: 'accepted', earlier: { session: first.id, same: 'everything' } },
      { state: 'accepted', earlier: { same: 'data' } },
    ]);
    expect(await count()).toBe(3);
  });

  it('are skipped by a batch with that setting, which shows their results', async () => {
    const files = [gateway.file('x1.sca')];
    const first = await submitted({ files });
    await end(first.id, 'converged');
    const rows = [
      { files, title: 'again' },
      { files, settings: { max_cycles: 3 } },
    ];
    const id = await make({ duplicates: 'skip', rows });
    expect(await lookedAt(id)).toMatchObject({
      duplicates: 'skip',
      states: { duplicate: 1, accepted: 1 },
      state: '2 rows, 1 duplicate; 1 session under way, 0 ended',
    });
    const [duplicate] = await rowsOf(id);
    expect(duplicate).toMatchObject({ state: 'duplicate', earlier: { session: first.id, same: 'everything' } });
    expect(duplicate).not.toHaveProperty('session');
    const { results } = (await gateway.get(`/v1/batches/${id}/results`, ada)).json() as BatchResultPage;
    expect(results[0]).toMatchObject({ state: 'duplicate', session: { id: first.id, outcome: 'solved' } });
    const body = { of: ['duplicate'] };
    const retried = await gateway.send('POST', `/v1/batches/${id}/retry`, { body, headers: ada });
    expect(retried.json()).toEqual({ retried: 1 });
    expect(await lookedAt(id)).toMatchObject({ states: { duplicate: 0, accepted: 2 } });
    expect(await count()).toBe(3);
  });

  it('are started by such a batch if the earlier session failed or was cancelled', async () => {
    const files = [gateway.file('x1.sca')];
    await end((await submitted({ files })).id, 'infrastructure');
    const id = await make({ duplicates: 'skip', rows: [{ files, title: 'again' }] });
    expect(await lookedAt(id)).toMatchObject({ states: { duplicate: 0, accepted: 1 } });
  });

  it('are found by such a batch among its own rows, also among rows that are checked concurrently', async () => {
    const files = [gateway.file('x1.sca')];
    const rows = ['a', 'b', 'c', 'd'].map((title) => ({ files, title }));
    const id = await make({ duplicates: 'skip', rows });
    expect(await lookedAt(id)).toMatchObject({ states: { duplicate: 3, accepted: 1 } });
    expect(await count()).toBe(1);
  });

  it('are reported by a dry run', async () => {
    const files = [gateway.file('x1.sca')];
    const first = await submitted({ files });
    const earlier = { session: first.id, same: 'everything' };
    for (const [duplicates, state] of [
      ['submit', 'checked'],
      ['skip', 'duplicate'],
    ]) {
      const id = await make({ start: 'never', duplicates, rows: [{ files }] });
      expect(await lookedAt(id)).toMatchObject({ done: true });
      expect(await rowsOf(id)).toMatchObject([{ state, earlier }]);
    }
    expect(await count()).toBe(1);
  });
});
