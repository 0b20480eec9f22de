import { Webhook as Verifier } from 'standardwebhooks';
import { startPostgres, useStarted } from '@fleet/testing';
import { Deliverers, impatient, secret, until } from './deliverers';
import { Target } from './target';

const cycleDone = ['session.cycle_done'] as const;
const inOrder = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

const postgres = useStarted('file', () => startPostgres());

describe('deliveries to webhooks', () => {
  const fleet = useStarted('test', () => Deliverers.start(postgres));
  const target = useStarted('test', () => Target.start());
  const cyclesOf = (id: string): readonly (number | undefined)[] => {
    const seen = new Set<string>();
    return target.taken
      .filter(({ message, id: own }) => message.data.session?.id === id && !seen.has(own) && seen.add(own))
      .map(({ message }) => message.data.cycle);
  };
  const state = (webhook: { readonly id: string }) => fleet.store.deliveries.state(webhook.id);

  it('are signed as Standard Webhooks says, and say what happened', async () => {
    const id = await fleet.session();
    await fleet.webhook(target, { what: 'session', name: id }, ['session.ended']);
    await fleet.end(id);
    fleet.deliver();
    await until(() => target.taken.length === 1);
    const [{ body, headers, message }] = target.taken as [(typeof target.taken)[0]];
    const verifier = new Verifier(`whsec_${secret.toString('base64')}`);
    expect(verifier.verify(body, headers as Record<string, string>)).toEqual(message);
    expect(() => verifier.verify(`${body} `, headers as Record<string, string>)).toThrow();
    expect(message).toMatchObject({ type: 'session.ended', data: { session: { id }, outcome: 'solved' } });
    expect(headers['user-agent']).toMatch(/^phenix-fleet\//);
  });

  it('come in order for each session, whatever fails on the way', async () => {
    const webhook = await fleet.webhook(target, { what: 'proposal', name: 'mx1' }, cycleDone);
    const sessions = await Promise.all(inOrder(5).map(() => fleet.session()));
    const tried = new Set<string>();
    target.answer = ({ id }, reply) => {
      const way = tried.size % 4;
      if (tried.has(id)) reply.writeHead(204).end();
      else if (way === 0) reply.destroy();
      else reply.writeHead([500, 503, 301][way - 1] ?? 500, { location: target.url, 'retry-after': '0' }).end();
      tried.add(id);
    };
    fleet.deliver();
    await Promise.all(sessions.map((id) => fleet.cycles(id, 6)));
    await until(async () => (await state(webhook)).delivered === 30);
    for (const id of sessions) expect(cyclesOf(id)).toEqual(inOrder(6));
    expect(target.received).toHaveLength(60);
    expect(await state(webhook)).toMatchObject({ waiting: 0, dead: 0, lost: 0 });
  });

  it('come again under the same id where the deliverer dies between the message and its note', async () => {
    const webhook = await fleet.webhook(target, { what: 'proposal', name: 'mx1' }, cycleDone);
    const id = await fleet.session();
    await fleet.cycles(id, 3);
    const { deliveries } = fleet.store;
    const died = (): Promise<never> => Promise.reject(new Error('killed'));
    const dying = Object.assign(Object.create(deliveries) as typeof deliveries, { delivered: died, release: died });
    fleet.deliver({}, dying);
    await until(() => target.taken.length === 1);
    await fleet.stopSenders();
    expect((await state(webhook)).waiting).toBe(3);
    fleet.clock.aheadMs += impatient.leaseMs;
    fleet.deliver();
    await until(async () => (await state(webhook)).delivered === 3);
    const [first, again] = target.taken;
    expect(again?.id).toBe(first?.id);
    expect(again?.body).toBe(first?.body);
    expect(cyclesOf(id)).toEqual([1, 2, 3]);
  });

  it('are shared by two deliverers: in order, and twice only under the same id', async () => {
    const webhook = await fleet.webhook(target, { what: 'proposal', name: 'mx1' }, cycleDone);
    const sessions = await Promise.all(inOrder(6).map(() => fleet.session()));
    fleet.deliver();
    fleet.deliver();
    await Promise.all(sessions.map((id) => fleet.cycles(id, 8)));
    await until(async () => (await state(webhook)).delivered === 48);
    for (const id of sessions) expect(cyclesOf(id)).toEqual(inOrder(8));
    expect(new Set(target.taken.map(({ id }) => id)).size).toBe(48);
  });

  it('fail after their tries, are listed, and arrive when replayed; later deliveries arrive meanwhile', async () => {
    const webhook = await fleet.webhook(target, { what: 'proposal', name: 'mx1' }, cycleDone);
    const id = await fleet.session();
    await fleet.cycles(id, 2);
    target.answer = ({ message }, reply) => {
      reply.writeHead(message.data.cycle === 1 ? 500 : 204).end();
    };
    fleet.deliver();
    await until(async () => (await state(webhook)).dead === 1 && (await state(webhook)).delivered === 1);
    expect(await fleet.store.deliveries.dead(webhook.id, 10)).toMatchObject([
      { of: id, kind: 'session.cycle_done', attempts: impatient.maxAttempts, why: 'it answered 500' },
    ]);
    const [dead] = target.received;
    target.answer = (_, reply) => {
      reply.writeHead(204).end();
    };
    expect(await fleet.store.deliveries.replay(webhook.id, ['no-such-notice'])).toBe(0);
    expect(await fleet.store.deliveries.replay(webhook.id)).toBe(1);
    await until(async () => (await state(webhook)).delivered === 2);
    expect(target.taken.at(-1)?.id).toBe(dead?.id);
    expect(await state(webhook)).toMatchObject({ dead: 0, waiting: 0 });
  });

  it('die at once where the target says that it is gone', async () => {
    const webhook = await fleet.webhook(target, { what: 'proposal', name: 'mx1' }, cycleDone);
    target.answer = (_, reply) => {
      reply.writeHead(410).end();
    };
    await fleet.cycles(await fleet.session(), 1);
    fleet.deliver();
    await until(async () => (await state(webhook)).dead === 1);
    expect(target.received).toHaveLength(1);
  });

  it('to targets that hang keep no other one waiting', async () => {
    const hung = await Target.start();
    hung.answer = () => undefined;
    const webhooks = await Promise.all(
      inOrder(10).map(() => fleet.webhook(hung, { what: 'proposal', name: 'mx1' }, cycleDone)),
    );
    await fleet.webhook(target, { what: 'proposal', name: 'mx1' }, cycleDone);
    const sessions = await Promise.all(inOrder(10).map(() => fleet.session()));
    await Promise.all(sessions.map((id) => fleet.cycles(id, 2)));
    const sender = fleet.deliver();
    await until(() => target.taken.length === 20);
    expect(hung.taken).toEqual([]);
    expect((await state(webhooks[0]!)).failing).toBe(0);
    await hung.stop();
    await sender.beforeApplicationShutdown();
    expect((await state(webhooks[0]!)).lastFailure).toMatch(/ECONNRESET|hang up|socket/);
  });

  it('say of a damaged notice that it is', async () => {
    const webhook = await fleet.webhook(target, { what: 'proposal', name: 'mx1' }, cycleDone);
    const id = await fleet.session();
    await fleet.cycles(id, 2);
    const damage = `UPDATE notices SET notice = '{}' WHERE number = (SELECT min(number) FROM notices) RETURNING id`;
    const { rows } = await fleet.client.query<{ id: string }>(damage);
    fleet.deliver();
    await until(async () => (await state(webhook)).delivered === 1);
    expect(await fleet.store.deliveries.dead(webhook.id, 10)).toMatchObject([{ id: rows[0]?.id, of: id }]);
  });

  it('include the end of a batch', async () => {
    const { batches } = fleet.store;
    const id = '01hzzzzzzzzzzzzzzzzzzzzzzz';
    await fleet.webhook(target, { what: 'batch', name: id }, ['batch.ended']);
    const made = {
      id,
      title: 'a screen',
      proposal: 'mx1',
      submitter: '',
      start: 'each',
      duplicates: 'submit',
    } as const;
    await batches.create({ ...made, createdAt: '2026-11-22T08:00:00.000Z' });
    await batches.addRows(id, [{ digest: 'a', line: 0, content: { row: '{}' } }], 10);
    const session = await fleet.session('mx1', id);
    await batches.settle(id, [{ row: 1, run: 0, outcome: { state: 'accepted', session } }]);
    await batches.complete(id);
    fleet.deliver();
    await fleet.end(session);
    await until(() => target.taken.length === 1);
    expect(target.taken[0]?.message).toMatchObject({
      type: 'batch.ended',
      data: { batch: { id, title: 'a screen', proposal: 'mx1' }, rejected: 0, outcomes: { solved: 1 } },
    });
  });
});
