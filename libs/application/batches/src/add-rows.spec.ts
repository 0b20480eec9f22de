import { Fault } from '@fleet/contracts/faults';
import type { ManifestEntry } from '@fleet/manifest';
import { useStores } from '@fleet/testing';
import { addRows } from './add-rows';

const newStore = useStores();

it('reports how many rows were added, even if the rest of the manifest is refused, and adds none twice', async () => {
  const { batches } = newStore();
  const batchFields = { title: '', proposal: 'mx1', submitter: 'ada', start: 'each', duplicates: 'submit' } as const;
  await batches.create({ id: 'b', ...batchFields, createdAt: '2026-11-21T08:00:00.000Z' });
  const entries = async function* (): AsyncGenerator<ManifestEntry> {
    for (let line = 1; line < 4; line += 1) yield await Promise.resolve({ line, row: { title: String(line) } });
    throw new Fault('manifest.invalid', 'caller', 'It is not UTF-8 from here on.');
  };
  const addedCounts: number[] = [];
  const add = (): Promise<unknown> =>
    addRows(batches, 'b', entries(), (rows) => Promise.resolve(void addedCounts.push(rows)));
  await expect(add()).rejects.toMatchObject({ code: 'manifest.invalid' });
  await expect(add()).rejects.toMatchObject({ code: 'manifest.invalid' });
  expect(addedCounts).toEqual([3, 0]);
});
