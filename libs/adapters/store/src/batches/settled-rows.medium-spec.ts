import { aBatch, useStores } from '@fleet/testing';

const newStore = useStores();

describe('outcomes of rows', () => {
  it('that arrive at the same time are each written as if alone', async () => {
    const { batches } = newStore();
    const [one, other] = [aBatch(), aBatch()];
    for (const batch of [one, other]) {
      await batches.create(batch);
      const rows = ['a', 'b', 'c'].map((digest, line) => ({ digest, line, content: { row: '{}' } }));
      await batches.addRows(batch.id, rows, 3);
    }
    const accept = ({ id }: typeof one, row: number, session: string): Promise<boolean> =>
      batches.settle(id, { row, run: 0 }, { state: 'accepted', session });
    const all = [accept(one, 1, 's1'), accept(one, 2, 's2'), accept(other, 1, 's3'), accept(one, 2, 's4')];
    await expect(Promise.all([...all, accept(one, 7, 's5')])).resolves.toEqual([true, true, true, false, false]);
    const sessions = (await batches.rows(one.id, 0, 3)).map(({ session }) => session);
    expect([sessions, (await batches.rows(other.id, 0, 1))[0]?.session]).toEqual([['s1', 's2', undefined], 's3']);
  });

  it('are not lost to one of another batch that the database refuses', async () => {
    const { batches } = newStore();
    const [one, other] = [aBatch(), aBatch()];
    for (const batch of [one, other]) {
      await batches.create(batch);
      const rows = ['a', 'b', 'c'].map((digest, line) => ({ digest, line, content: { row: '{}' } }));
      await batches.addRows(batch.id, rows, 3);
    }
    const beyondInteger = 2 ** 31;
    const accept = ({ id }: typeof one, row: number): Promise<boolean> =>
      batches.settle(id, { row, run: 0 }, { state: 'accepted', session: `s${String(row)}` });
    const settled = await Promise.allSettled([
      accept(one, 1),
      accept(one, 2),
      accept(other, beyondInteger),
      accept(one, 3),
    ]);
    expect(settled.map((result) => (result.status === 'fulfilled' ? result.value : result.status))).toEqual([
      ...[true, true, 'rejected', true],
    ]);
  });
});
