import { sql } from 'kysely';
import type { ClaimedDeliveries, ClaimLimits, Delivery } from '@fleet/ports';
import { useDatabases } from '../fixtures/databases';
import { NoticedSessions } from '../fixtures/noticed-sessions';
import { maxWaiting } from './notices';

const databases = useDatabases();

const removal = { removedAt: '2026-11-22T08:00:00.000Z', removedBy: 'ada' };
const limits: ClaimLimits = { lines: 3, leaseMs: 30_000, mail: { notices: 2, leaseMs: 60_000 } };
const minuteMs = 60_000;

let fleet: NoticedSessions;
beforeEach(async () => {
  fleet = new NoticedSessions((await databases.context()).db);
});

const claim = async (): Promise<ClaimedDeliveries> => {
  const claimed = await fleet.store.deliveries.claim(limits);
  if (claimed === undefined) throw new Error('nothing is due');
  return claimed;
};
const claimOne = async (): Promise<Delivery> => {
  const { deliveries } = await claim();
  const [first] = deliveries;
  if (first === undefined || deliveries.length > 1) throw new Error(`${String(deliveries.length)} are due`);
  return first;
};
const cyclesOf = ({ deliveries }: ClaimedDeliveries) => deliveries.map(({ content }) => content?.notice.cycle);
const nothing = () => expect(fleet.store.deliveries.claim(limits)).resolves.toBeUndefined();

const later = { why: 'it answered 503', againInMs: 5_000, holdMs: 0, failing: 1 };
const never = { ...later, againInMs: 'never' } as const;

describe('notices of a move', () => {
  it('are queued for each webhook that subscribes to the session, its batch or its proposal, and to the event', async () => {
    const session = await fleet.session('b1');
    const hooks = [
      await fleet.webhook(['session', session]),
      await fleet.webhook(['batch', 'b1'], ['session.ended', 'session.cycle_done']),
      await fleet.webhook(['proposal', 'mx1'], ['session.ended']),
      await fleet.webhook(['proposal', 'b1']),
    ];
    await fleet.pass(session);
    await fleet.end(session, 2);
    const waiting = await Promise.all(hooks.map(async (hook) => (await fleet.state(hook)).waiting));
    expect(waiting).toEqual([1, 2, 1, 0]);
    const deliveries = [await claim(), await claim(), await claim()].flatMap(({ deliveries }) => deliveries);
    // The end of the cycle under the same id for two of them, and the end of the session.
    expect([deliveries.length, new Set(deliveries.map(({ id }) => id)).size]).toEqual([3, 2]);
    const [notice] = deliveries.filter((delivery) => delivery.content?.notice.kind === 'session.ended');
    expect(notice).toMatchObject({ of: session, attempts: 0 });
    expect(notice?.content).toMatchObject({ proposal: 'mx1', batch: 'b1', notice: { outcome: 'solved' } });
  });

  it('are part of its transaction: a failed move queues none', async () => {
    const [hook, session] = [await fleet.webhook(['proposal', 'mx1']), await fleet.session()];
    await fleet.db.schema.dropTable('notice_queues').execute();
    await expect(fleet.pass(session)).rejects.toMatchObject({ code: 'store.refused' });
    expect([(await fleet.store.records.load(session))?.version, (await fleet.state(hook)).waiting]).toEqual([1, 0]);
  });

  it('are lost if too many are queued, and never delay the session', async () => {
    const [hook, session] = [await fleet.webhook(['proposal', 'mx1']), await fleet.session()];
    await fleet.pass(session);
    await sql`
      INSERT INTO notices (webhook, subject, id, notice)
      SELECT webhook, subject, id, notice FROM notices, generate_series(3, ${maxWaiting}::integer)`.execute(fleet.db);
    await fleet.pass(session, 2, 2);
    expect(await fleet.state(hook)).toMatchObject({ waiting: maxWaiting, lost: 1 });
    expect((await fleet.store.records.load(session))?.version).toBe(4);
  });
});

describe('PostgresDeliveries', () => {
  it('returns the first notice of each session, and the next one after its delivery', async () => {
    const hook = await fleet.webhook(['proposal', 'mx1']);
    const [one, other] = [await fleet.session(), await fleet.session()];
    await fleet.pass(one, 2);
    await fleet.pass(other);
    const claimed = await claim();
    expect(claimed).toMatchObject({ webhook: hook, failing: 0 });
    expect(new Set(claimed.deliveries.map(({ of }) => of))).toEqual(new Set([one, other]));
    for (const delivery of claimed.deliveries)
      expect(await fleet.store.deliveries.delivered(hook.id, delivery)).toBe(true);
    await nothing();
    await fleet.store.deliveries.release(hook.id);
    const next = await claimOne();
    expect(next).toMatchObject({ of: one, content: { notice: { cycle: 2 } } });
    expect(await fleet.state(hook)).toMatchObject({
      waiting: 1,
      delivered: 2,
      lastDeliveredAt: expect.any(String) as string,
    });
  });

  it('returns at most the requested number of queues', async () => {
    const hook = await fleet.webhook(['proposal', 'mx1']);
    for (let made = 0; made < 4; made += 1) await fleet.pass(await fleet.session());
    expect((await claim()).deliveries).toHaveLength(3);
    await fleet.store.deliveries.release(hook.id);
    expect((await claim()).deliveries).toHaveLength(1);
  });

  it('assigns a webhook to one of many concurrent claims, and others meanwhile', async () => {
    const hooks = [await fleet.webhook(['proposal', 'mx1']), await fleet.webhook(['proposal', 'mx1'])];
    await fleet.pass(await fleet.session());
    const claims = await Promise.all(Array.from({ length: 8 }, () => fleet.store.deliveries.claim(limits)));
    claims.push(await fleet.store.deliveries.claim(limits));
    const claimed = claims.flatMap((one) => one?.webhook.id ?? []);
    expect(claimed.toSorted()).toEqual(hooks.map(({ id }) => id).toSorted());
  });

  it('returns an expired claim again under the same id', async () => {
    await fleet.webhook(['proposal', 'mx1']);
    await fleet.pass(await fleet.session());
    const first = await claimOne();
    fleet.clock.forward(29_999);
    await nothing();
    fleet.clock.forward(1);
    expect(await claimOne()).toEqual(first);
  });

  it('accepts the result of a notice once', async () => {
    const hook = await fleet.webhook(['proposal', 'mx1']);
    await fleet.pass(await fleet.session());
    const notice = await claimOne();
    expect(await fleet.store.deliveries.delivered(hook.id, notice)).toBe(true);
    expect(await fleet.store.deliveries.delivered(hook.id, notice)).toBe(false);
    expect(await fleet.store.deliveries.failed(hook.id, notice, later)).toBe(false);
    expect(await fleet.state(hook)).toMatchObject({ delivered: 1, waiting: 0, failing: 0 });
  });

  it('retries failures, counts tries once, and pauses the endpoint', async () => {
    const hook = await fleet.webhook(['proposal', 'mx1']);
    const [one, other] = [await fleet.session(), await fleet.session()];
    await fleet.pass(one);
    const notice = await claimOne();
    expect(await fleet.store.deliveries.failed(hook.id, notice, { ...later, holdMs: 20_000 })).toBe(true);
    expect(await fleet.store.deliveries.failed(hook.id, notice, later)).toBe(false);
    await fleet.store.deliveries.release(hook.id);
    await fleet.pass(other);
    fleet.clock.forward(19_999);
    await nothing();
    fleet.clock.forward(1);
    const again = await claim();
    expect(again).toMatchObject({ failing: 1, deliveries: expect.any(Array) as Delivery[] });
    expect(again.deliveries).toContainEqual({ ...notice, attempts: 1 });
    expect(await fleet.state(hook)).toMatchObject({ failing: 1, lastFailure: 'it answered 503', waiting: 2 });
    for (const delivery of again.deliveries) await fleet.store.deliveries.delivered(hook.id, delivery);
    expect((await fleet.state(hook)).failing).toBe(0);
  });

  it('lists dead notices, continues behind them, and replays them after the queued ones, the oldest first', async () => {
    const [hook, session] = [await fleet.webhook(['proposal', 'mx1']), await fleet.session()];
    await fleet.pass(session, 3);
    const ids: string[] = [];
    for (let died = 0; died < 2; died += 1) {
      const notice = await claimOne();
      ids.push(notice.id);
      await fleet.store.deliveries.failed(hook.id, notice, never);
      await fleet.store.deliveries.release(hook.id);
      fleet.clock.forward(1);
    }
    const dead = await fleet.store.deliveries.dead(hook.id, 10);
    expect(dead.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(dead[0]).toMatchObject({ of: session, attempts: 1, why: 'it answered 503', kind: 'session.cycle_done' });
    expect(await fleet.state(hook)).toMatchObject({ dead: 2, waiting: 1 });
    expect(await fleet.store.deliveries.replay(hook.id, ['no-such-notice'])).toBe(0);
    expect(await fleet.store.deliveries.replay(hook.id)).toBe(2);
    const order: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const claimed = await claim();
      order.push(...cyclesOf(claimed));
      for (const delivery of claimed.deliveries) await fleet.store.deliveries.delivered(hook.id, delivery);
      await fleet.store.deliveries.release(hook.id);
    }
    expect([order, await fleet.state(hook)]).toEqual([
      [3, 1, 2],
      expect.objectContaining({ dead: 0, waiting: 0, delivered: 3 }) as unknown,
    ]);
  });

  it('keeps a thousand dead notices of a webhook, and counts the others as lost', async () => {
    const [hook, session] = [await fleet.webhook(['proposal', 'mx1']), await fleet.session()];
    await fleet.pass(session);
    await fleet.db
      .insertInto('notices')
      .values(
        Array.from({ length: 1000 }, (_, index) => ({
          webhook: hook.id,
          subject: session,
          id: `dead-${String(index)}`,
          notice: '{}',
          died_at: new Date(fleet.clock.now() - 1000 + index),
          attempts: 1,
        })),
      )
      .execute();
    await fleet.store.deliveries.failed(hook.id, await claimOne(), never);
    expect(await fleet.state(hook)).toMatchObject({ dead: 1000, lost: 1 });
    expect(await fleet.store.deliveries.replay(hook.id, ['dead-0'])).toBe(0);
  });

  it('returns an unreadable notice without its content', async () => {
    const hook = await fleet.webhook(['proposal', 'mx1']);
    await fleet.pass(await fleet.session());
    await fleet.db.updateTable('notices').set({ notice: '{}' }).execute();
    const notice = await claimOne();
    expect(notice.content).toBeUndefined();
    await fleet.store.deliveries.failed(hook.id, notice, never);
    const [dead] = await fleet.store.deliveries.dead(hook.id, 1);
    expect([dead?.id, dead?.kind]).toEqual([notice.id, undefined]);
  });

  it('deletes the queue of a removed webhook, including notices queued meanwhile', async () => {
    const hook = await fleet.webhook(['proposal', 'mx1']);
    const sessions = await Promise.all(Array.from({ length: 6 }, () => fleet.session()));
    await Promise.all([...sessions.map((id) => fleet.pass(id, 4)), fleet.store.webhooks.remove(hook.id, removal)]);
    for (const table of ['notices', 'notice_queues'] as const)
      expect(await fleet.db.selectFrom(table).selectAll().execute()).toEqual([]);
    await nothing();
  });

  it('loses none and reports each session in order, under concurrent moves and settlements', async () => {
    const hook = await fleet.webhook(['proposal', 'mx1']);
    const sessions = await Promise.all(Array.from({ length: 4 }, () => fleet.session()));
    const seen = new Map<string, (number | undefined)[]>(sessions.map((id) => [id, []]));
    const deliver = async (): Promise<void> => {
      while ((await fleet.state(hook)).delivered < 40) {
        const claimed = await fleet.store.deliveries.claim({ ...limits, lines: 4 });
        for (const delivery of claimed?.deliveries ?? [])
          if (await fleet.store.deliveries.delivered(hook.id, delivery))
            seen.get(delivery.of)?.push(delivery.content?.notice.cycle);
        if (claimed !== undefined) await fleet.store.deliveries.release(hook.id);
      }
    };
    await Promise.all([deliver(), deliver(), ...sessions.map((id) => fleet.pass(id, 10))]);
    for (const cycles of seen.values()) expect(cycles).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
    expect(await fleet.db.selectFrom('notice_queues').selectAll().execute()).toEqual([]);
  });
});

describe('stored e-mail notices', () => {
  const aMail = (everyMinutes: number) =>
    fleet.webhook(['proposal', 'mx1'], ['session.cycle_done'], { url: 'mailto:ada@example.org', everyMinutes });

  it('is collected from the first notice on, sent in order, and leftovers are sent at once', async () => {
    const [hook, session] = [await aMail(10), await fleet.session()];
    await fleet.pass(session, 3);
    await nothing();
    fleet.clock.forward(10 * minuteMs - 1);
    await nothing();
    fleet.clock.forward(1);
    const claimed = await claim();
    expect(cyclesOf(claimed)).toEqual([1, 2]);
    for (const delivery of claimed.deliveries)
      expect(await fleet.store.deliveries.delivered(hook.id, delivery)).toBe(true);
    await fleet.store.deliveries.release(hook.id);
    const left = await claim();
    expect(cyclesOf(left)).toEqual([3]);
    for (const delivery of left.deliveries) await fleet.store.deliveries.delivered(hook.id, delivery);
    await fleet.store.deliveries.release(hook.id);
    fleet.clock.forward(1);
    await fleet.pass(session, 1, 4);
    await nothing();
  });

  it('that is retried waits for its own time only', async () => {
    const [hook, session] = [await aMail(10), await fleet.session()];
    await fleet.pass(session);
    await nothing();
    fleet.clock.forward(10 * minuteMs);
    await fleet.store.deliveries.failed(hook.id, await claimOne(), later);
    await fleet.store.deliveries.release(hook.id);
    fleet.clock.forward(4_999);
    await nothing();
    fleet.clock.forward(1);
    expect(await claimOne()).toMatchObject({ attempts: 1 });
  });

  it('without minutes is sent at once', async () => {
    await aMail(0);
    await fleet.pass(await fleet.session(), 2);
    expect(cyclesOf(await claim())).toEqual([1, 2]);
  });
});
