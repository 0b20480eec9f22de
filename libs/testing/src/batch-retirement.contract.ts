import type { Batch, BatchState } from '@fleet/contracts';
import type { BatchRecords } from '@fleet/ports';
import { aBatch, rows } from './batch-records.contract';
import type { PortContract } from './store-ports';

const many = 100;

/** How every BatchRecords takes batches out of itself. */
export const batchRetirementContract: PortContract = (store, clock) => {
  const batches = (): BatchRecords => store().batches;
  const stateOf = async ({ id }: Batch): Promise<BatchState> => {
    const state = await batches().load(id);
    if (state === undefined) throw new Error(`there is no batch ${id}`);
    return state;
  };
  const made = async (...names: readonly string[]): Promise<Batch> => {
    const batch = aBatch();
    await batches().create(batch);
    await batches().addRows(batch.id, rows(...names), many);
    return batch;
  };

  it('tells when a batch has changed', async () => {
    const batch = await made('a', 'b');
    const changes: (() => Promise<unknown>)[] = [
      () => batches().addRows(batch.id, rows('c'), many),
      () => batches().complete(batch.id),
      () => batches().settle(batch.id, { row: 1, run: 0 }, { verdict: 'rejected', problems: [] }),
      () => batches().runAgain(batch.id, [{ row: 1, run: 0 }]),
      () => batches().setStatus(batch.id, 'paused'),
    ];
    for (const change of changes) {
      clock.forward(1000);
      await change();
      expect((await stateOf(batch)).changedAt).toBe(clock.now());
    }
  });

  it('keeps what has become of rows, and neither what they said nor that they are due', async () => {
    const batch = await made('a', 'b');
    await batches().settle(batch.id, { row: 1, run: 0 }, { verdict: 'accepted', session: 's1' });
    await expect(batches().retire(await stateOf(batch), 'leaves')).resolves.toBe('retired');
    await expect(stateOf(batch)).resolves.toMatchObject({ archived: 2, rows: 2, verdicts: { accepted: 1 } });
    await expect(batches().rows(batch.id, 0, many)).resolves.toMatchObject([{ session: 's1' }, { digest: 'b' }]);
    await expect(batches().claim(many, 1000)).resolves.toBeUndefined();
    await expect(batches().runAgain(batch.id, [{ row: 1, run: 0 }])).resolves.toBe(0);
    expect((await batches().list({}, many)).batches.map(({ batch: { id } }) => id)).toEqual([batch.id]);
  });

  it('knows the rows of an archived batch, and takes others', async () => {
    const batch = await made('a', 'b');
    await batches().retire(await stateOf(batch), 'leaves');
    const added = await batches().addRows(batch.id, rows('b', 'c', 'a'), many);
    expect(added).toEqual({ added: 1, known: 2, left: 0, rows: 3 });
    const claimed = await batches().claim(many, 1000);
    expect(claimed?.rows).toMatchObject([{ row: 3, digest: 'c', content: '{"title":"c"}' }]);
    await expect(stateOf(batch)).resolves.toMatchObject({ archived: 2, rows: 3 });
  });

  it('forgets a batch of which nothing came', async () => {
    const [batch, other] = [await made('a'), await made('a')];
    await expect(batches().retire(await stateOf(batch), 'goes')).resolves.toBe('retired');
    await expect(batches().load(batch.id)).resolves.toBeUndefined();
    await expect(batches().rows(batch.id, 0, many)).resolves.toEqual([]);
    for (const filter of [{}, { proposal: batch.proposal }])
      expect((await batches().list(filter, many)).batches.map(({ batch: { id } }) => id)).toEqual([other.id]);
    expect((await batches().claim(many, 1000))?.batch.id).toBe(other.id);
    await expect(batches().create(batch)).resolves.toBe('created');
    await expect(batches().rows(batch.id, 0, many)).resolves.toEqual([]);
  });

  it.each(['leaves', 'goes'] as const)('leaves alone what has changed since it was looked at: %s', async (fate) => {
    const batch = await made('a');
    const seen = await stateOf(batch);
    clock.forward(1);
    await batches().addRows(batch.id, rows('b'), many);
    await expect(batches().retire(seen, fate)).resolves.toBe('stale');
    expect((await batches().claim(many, 1000))?.rows).toHaveLength(2);
    const gone = await stateOf(batch);
    await batches().retire(gone, 'goes');
    await expect(batches().retire(gone, fate)).resolves.toBe('stale');
    await expect(batches().load(batch.id)).resolves.toBeUndefined();
  });

  it('lists no batch that only checks its rows, and keeps it all the same', async () => {
    const [batch, other] = [aBatch({ start: 'never' }), aBatch()];
    for (const one of [batch, other]) await batches().create(one);
    await batches().addRows(batch.id, rows('a'), many);
    for (const filter of [{}, { proposal: batch.proposal }])
      expect((await batches().list(filter, many)).batches.map(({ batch: { id } }) => id)).toEqual([other.id]);
    await expect(stateOf(batch)).resolves.toMatchObject({ rows: 1 });
    expect((await batches().claim(many, 1000))?.batch.id).toBe(batch.id);
  });
};
