import type { Webhook } from '@fleet/contracts/webhooks';
import { useDatabases } from '../fixtures/databases';
import { NoticedSessions } from '../fixtures/noticed-sessions';

const databases = useDatabases();

describe('the stored notice about the end of a batch', () => {
  let fleet: NoticedSessions;
  beforeEach(async () => {
    fleet = new NoticedSessions((await databases.context()).db);
  });
  const batch = '01hzzzzzzzzzzzzzzzzzzzzzzz';
  const aBatch = async (start: 'each' | 'together', count: number): Promise<void> => {
    const made = { id: batch, title: 'a screen', proposal: 'mx1', submitter: '', start, duplicates: 'submit' } as const;
    await fleet.store.batches.create({ ...made, createdAt: '2026-11-22T08:00:00.000Z' });
    const rows = Array.from({ length: count }, (_, line) => ({ digest: String(line), line, content: { row: '{}' } }));
    await fleet.store.batches.addRows(batch, rows, 10);
  };
  const accept = async (row: number, run = 0): Promise<string> => {
    const session = await fleet.session(batch);
    await fleet.store.batches.settle(batch, [{ row, run, outcome: { state: 'accepted', session } }]);
    return session;
  };
  const noticesFor = async (hook: Webhook): Promise<number> => {
    await fleet.store.deliveries.noticeBatches(10);
    const { waiting, delivered } = await fleet.state(hook);
    return waiting + delivered;
  };

  it('is reported once to its webhooks when its last session has ended, and again after rows ran again', async () => {
    const hook = await fleet.webhook(['batch', batch], ['batch.ended']);
    const other = await fleet.webhook(['proposal', 'mx1'], ['batch.ended']);
    await aBatch('each', 3);
    const [first, second] = [await accept(1), await accept(2)];
    await fleet.end(first);
    await fleet.store.batches.settle(batch, [{ row: 3, run: 0, outcome: { state: 'rejected', problems: [] } }]);
    expect(await noticesFor(hook)).toBe(0);
    await fleet.store.batches.complete(batch);
    expect(await noticesFor(hook)).toBe(0);
    await fleet.end(second);
    expect([await noticesFor(hook), await noticesFor(hook), await noticesFor(other)]).toEqual([1, 1, 1]);
    const claimed = await fleet.store.deliveries.claim({ lines: 1, leaseMs: 1, mail: { notices: 1, leaseMs: 1 } });
    const [notice] = claimed?.deliveries ?? [];
    expect(notice).toMatchObject({ of: batch, content: { title: 'a screen', proposal: 'mx1' } });
    expect(notice?.content?.notice).toMatchObject({ kind: 'batch.ended', outcomes: { solved: 2 }, rejected: 1 });
    await fleet.store.batches.runAgain(batch, [{ row: 2, run: 0 }]);
    fleet.clock.forward(1);
    const again = await accept(2, 1);
    expect(await noticesFor(hook)).toBe(1);
    await fleet.end(again);
    expect(await noticesFor(hook)).toBe(2);
  });

  it('is reported once, however many sessions end and gateways check at the same time', async () => {
    const hook = await fleet.webhook(['batch', batch], ['batch.ended']);
    await aBatch('each', 6);
    const sessions = await Promise.all(Array.from({ length: 6 }, (_, index) => accept(index + 1)));
    await fleet.store.batches.complete(batch);
    const look = (): Promise<void> => fleet.store.deliveries.noticeBatches(1);
    await Promise.all(sessions.flatMap((id) => [fleet.end(id), look(), look()]));
    expect(await noticesFor(hook)).toBe(1);
  });

  it('waits for rows that start together and have not started', async () => {
    const hook = await fleet.webhook(['batch', batch], ['batch.ended']);
    await aBatch('together', 2);
    await fleet.store.batches.complete(batch);
    await fleet.store.batches.settle(batch, [{ row: 1, run: 0, outcome: { state: 'checked' } }]);
    await fleet.store.batches.settle(batch, [{ row: 2, run: 0, outcome: { state: 'checked' } }]);
    expect(await noticesFor(hook)).toBe(0);
    await fleet.end(await accept(1));
    expect(await noticesFor(hook)).toBe(0);
    await fleet.end(await accept(2));
    expect(await noticesFor(hook)).toBe(1);
  });

  it('leaves nothing behind if no webhook subscribes to it', async () => {
    await fleet.webhook(['batch', batch], ['session.ended']);
    await aBatch('each', 1);
    await fleet.store.batches.complete(batch);
    await fleet.end(await accept(1));
    expect(await fleet.db.selectFrom('batch_ends').selectAll().execute()).toEqual([]);
  });
});
