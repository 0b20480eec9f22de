import type { Batch } from '@fleet/contracts';
import type { BatchRecords, SessionArchive, SessionRecords } from '@fleet/ports';
import {
  aBatch,
  aNewSession,
  anEvent,
  aRequest,
  ManualClock,
  MemoryArchiveFolder,
  rows,
  startRedis,
  type RedisServer,
} from '@fleet/testing';
import { MemoryStore } from '../memory/memory-store';
import { RedisStore } from '../redis-store';
import { connectStore } from '../store-connection';
import { BatchArchiver } from './batch-archiver';
import { SessionArchiver } from './session-archiver';

interface Ports {
  readonly batches: BatchRecords;
  readonly archive: SessionArchive;
  readonly records: SessionRecords;
}

const day = 86_400_000;
const retentionMs = 7 * day;
const stop = { reason: 'converged', detail: 'done', afterCycle: 1 } as const;

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(async () => {
  await server.stop();
});

let prefix = 0;
const inRedis = (clock: ManualClock): readonly [Ports, () => void] => {
  prefix += 1;
  const redis = connectStore({ url: server.url });
  const store = new RedisStore(redis, `r${String(prefix)}`, clock);
  const close = (): void => {
    store.close();
    redis.disconnect();
  };
  return [store, close];
};
const inMemory = (clock: ManualClock): readonly [Ports, () => void] => [new MemoryStore(clock), () => undefined];

describe.each([
  ['memory', inMemory],
  ['Redis', inRedis],
] as const)('batches in %s', (_, make) => {
  let clock: ManualClock;
  let ports: Ports;
  let close: () => void;
  const failures: unknown[] = [];
  beforeEach(() => {
    clock = new ManualClock();
    [ports, close] = make(clock);
    failures.length = 0;
  });
  afterEach(() => {
    close();
    expect(failures).toEqual([]);
  });

  const onError = (_id: string, error: unknown): void => void failures.push(error);
  const look = (): Promise<number> => new BatchArchiver({ ...ports, clock, retentionMs, onError }).look();
  const archiveSessions = (): Promise<number> =>
    new SessionArchiver({ ...ports, folder: new MemoryArchiveFolder(), retentionMs, onError }).look();

  /** Of two sessions; gives how one of them ends. */
  const aCampaign = async (): Promise<{ readonly batch: Batch; readonly end: (which: 0 | 1) => Promise<void> }> => {
    const batch = aBatch();
    await ports.batches.create(batch);
    await ports.batches.addRows(batch.id, rows('a', 'b'), 100);
    await ports.batches.complete(batch.id);
    const sessions = [0, 1].map(() => aNewSession({ request: aRequest({ batch: batch.id }) }));
    for (const [index, made] of sessions.entries()) {
      await ports.records.create(made, [], 1000);
      await ports.batches.settle(batch.id, { row: index + 1, run: 0 }, { verdict: 'accepted', session: made.id });
    }
    const end = async (which: 0 | 1): Promise<void> => {
      const sessionId = sessions[which]?.id ?? '';
      await ports.records.advance({ sessionId, fromVersion: 1, to: { ended: stop }, events: [anEvent()], dueInMs: 1 });
    };
    return { batch, end };
  };
  const archivedRows = async ({ id }: Batch): Promise<number | undefined> => (await ports.batches.load(id))?.archived;

  it('are archived when all of their sessions are, and not before', async () => {
    const { batch, end } = await aCampaign();
    await end(0);
    clock.forward(retentionMs);
    expect([await archiveSessions(), await look()]).toEqual([1, 0]);
    await end(1);
    clock.forward(retentionMs - 1);
    expect([await archiveSessions(), await look()]).toEqual([0, 0]);
    clock.forward(1);
    expect(await look()).toBe(0);
    expect([await archiveSessions(), await look(), await look()]).toEqual([1, 1, 0]);
    expect(await archivedRows(batch)).toBe(2);
    await expect(ports.batches.outcomes(batch.id)).resolves.toMatchObject({ solved: 2 });
  });

  it('stay where a session of theirs was resumed', async () => {
    const { batch, end } = await aCampaign();
    await end(0);
    await end(1);
    clock.forward(retentionMs);
    const [first] = await ports.archive.endedFor(0, 1, 0);
    const whole = await ports.archive.whole(first?.id ?? '');
    if (whole === undefined) throw new Error('no session has ended');
    expect(await archiveSessions()).toBe(2);
    await ports.archive.putBack(whole);
    expect([await look(), await archivedRows(batch)]).toEqual([0, 0]);
  });

  it('are all looked at, some in each look, and forgotten where nothing came of them', async () => {
    const wrong = { digest: 'x', line: 1, content: { problem: { field: 'row', reason: 'is no row' } } };
    for (let count = 0; count < 60; count += 1) {
      const batch = aBatch({ createdAt: new Date(clock.now() + count).toISOString() });
      await ports.batches.create(batch);
      await ports.batches.addRows(batch.id, [wrong], 1);
    }
    clock.forward(retentionMs);
    const archiver = new BatchArchiver({ ...ports, clock, retentionMs, onError });
    expect([await archiver.look(), await archiver.look(), await archiver.look()]).toEqual([50, 10, 0]);
    await expect(ports.batches.list({}, 100)).resolves.toEqual({ batches: [] });
  });

  it('goes on with the others where one cannot be archived', async () => {
    for (const second of [1, 2])
      await ports.batches.create(aBatch({ createdAt: `2026-11-21T08:00:0${String(second)}.000Z` }));
    clock.forward(retentionMs);
    const retire = jest.spyOn(ports.batches, 'retire').mockRejectedValueOnce(new Error('away'));
    expect(await look()).toBe(1);
    expect(failures.splice(0)).toEqual([new Error('away')]);
    retire.mockRestore();
    expect(await look()).toBe(1);
  });
});
