import { contentDigests } from '@fleet/files';
import { aCycle, aFile, aNewSession, aRequest, useStores } from '@fleet/testing';

const newStore = useStores();

const ending = { reason: 'plateau', detail: 'x', afterCycle: 1 } as const;

it('finds sessions with the same submitted content, the newest first, including recovered ones', async () => {
  const store = newStore();
  const pin = { inode: '7', size: 1000, modified: '1790000000000000000', sha256: 'a0'.repeat(32) };
  const request = aRequest({ inputs: [aFile({ path: '/data/data.mtz', facts: { format: 'mtz' }, pin })] });
  const older = aNewSession({ request, createdAt: '2026-11-21T08:00:00.000Z' });
  const position = { status: 'completed', stage: 'analysing', cycle: 1, attempt: 1 } as const;
  const resume = { ...position, stop: ending, cycles: [aCycle()] };
  const newer = aNewSession({ request, createdAt: '2026-11-21T08:00:01.000Z', resume });
  const foreign = aNewSession({ request: { ...request, proposal: 'mx2' } });
  const unknown = aNewSession();
  for (const made of [newer, older, foreign, unknown]) await store.records.create(made, [], 1000);
  const { data, everything } = contentDigests(older)!;
  const found = async (digest: string, limit = 10): Promise<readonly string[]> =>
    (await store.index.ofContent(digest, limit)).map(({ id }) => id);
  for (const digest of [data, everything]) await expect(found(digest)).resolves.toEqual([newer.id, older.id]);
  await expect(found(data, 1)).resolves.toEqual([newer.id]);
  await expect(found('nothing')).resolves.toEqual([]);
});
