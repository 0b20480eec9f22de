import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '@fleet/contracts';
import { SessionArchiveFolder } from '@fleet/session-folder';
import { ArchivedSessionRecords, connectStore, RedisStore, SessionArchiver } from '@fleet/session-store';
import { startRedis, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { deliver, figure } from './figures';
import { runRecorded } from './recorded-runs';

const RUNNING = 1_000;
const ENDED = Number(process.env['FLEET_BENCH_ENDED'] ?? '20000');
const CYCLES = 8;
const FEEDING = 300;
/** Sessions that are made at the same time. */
const TOGETHER = 20;
/** Calls of each kind that are timed. */
const CALLS = 300;
const KB = 1024;

let server: RedisServer;
let redis: Redis;
let store: RedisStore;
let workRoot: string;

beforeAll(async () => {
  workRoot = mkdtempSync(join(tmpdir(), 'fleet-bench-archive-'));
  server = await startRedis();
  redis = connectStore({ url: server.url });
  store = new RedisStore(redis, 'bench');
});

afterAll(async () => {
  store.close();
  redis.disconnect();
  await server.stop();
  rmSync(workRoot, { recursive: true });
});

/** Bytes that Redis uses. */
const used = async (): Promise<number> => {
  const [, bytes = '0'] = /used_memory:(\d+)/.exec(await redis.info('memory')) ?? [];
  return Number(bytes);
};

const make = async (
  count: number,
  ended: boolean,
  cycles = CYCLES,
  { records } = store,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let from = 0; from < count; from += TOGETHER) {
    const some = Array.from({ length: Math.min(TOGETHER, count - from) }, () =>
      runRecorded(records, workRoot, { cycles, ended }),
    );
    ids.push(...(await Promise.all(some)));
  }
  return ids;
};

type Call = (index: number) => Promise<unknown>;

/** 95th percentiles in milliseconds, of calls that are made by turns: other work on the machine meets all of them. */
const p95s = async (...calls: readonly Call[]): Promise<readonly number[]> => {
  const times = calls.map((): number[] => []);
  for (let index = 0; index < CALLS; index += 1)
    for (const [which, call] of calls.entries()) {
      const start = performance.now();
      await call(index);
      times[which]?.push(performance.now() - start);
    }
  return times.map((some) => some.sort((one, other) => one - other)[Math.floor(CALLS * 0.95)] ?? Number.NaN);
};

const p95 = async (call: Call): Promise<number> => (await p95s(call))[0] ?? Number.NaN;

const archiveAll = async (folder: SessionArchiveFolder): Promise<void> => {
  const onError = (id: string, error: unknown): never => {
    throw new Error(`${id} was not archived`, { cause: error });
  };
  const archiver = new SessionArchiver({ archive: store.archive, folder, retentionMs: 0, onError });
  while ((await archiver.look()) > 0);
};

describe('what is alive and what is archived', () => {
  it('measures', async () => {
    const few = new RedisStore(redis, 'few');
    await make(RUNNING, false, 1, few);
    // So many that the feed of all sessions, which is bounded, is full of moves such as those that follow.
    await make(FEEDING, false);
    const empty = await used();
    await make(RUNNING, false);
    const running = ((await used()) - empty) / RUNNING;
    const beforeEnded = await used();
    const folder = new SessionArchiveFolder(workRoot);
    const ended: string[] = [];
    // By turns, so that Redis never has to hold all of them.
    for (let from = 0; from < ENDED; from += RUNNING) {
      ended.push(...(await make(Math.min(RUNNING, ENDED - from), true)));
      await archiveAll(folder);
    }
    const archived = ((await used()) - beforeEnded) / ENDED;
    const rowBytes = Number(await redis.call('MEMORY', 'USAGE', `bench:s:${ended[0] ?? ''}`, 'SAMPLES', '0'));
    const [ofFew = Number.NaN, ofAll = Number.NaN] = await p95s(
      () => few.index.list({}, 50),
      () => store.index.list({}, 50),
    );
    few.close();
    const records = new ArchivedSessionRecords(store.records, store.archive, folder);
    const anyOf = (index: number): string => ended[(index * 7919) % ended.length] ?? '';
    const status = await p95((index) => records.loadHead(anyOf(index)));
    const record = await p95(async (index): Promise<Session> => {
      const session = await records.load(anyOf(index));
      if (session?.cycles.length !== CYCLES) throw new Error('the record is not whole');
      return session;
    });
    deliver([
      figure('running session of 8 cycles in Redis, all of it (bytes)', running, '<=', (3 + 1.4 * CYCLES) * 1000),
      figure('row of an archived session (bytes)', rowBytes, '<=', KB),
      figure('archived session in Redis with its places in the indexes (bytes)', archived, '<=', 2 * KB),
      figure('list of 50, p95, all of them against 1000 sessions', ofAll / ofFew, '<=', 1.5),
      figure('status of an archived session, p95 (ms)', status, '<=', 30),
      figure('record of an archived session, p95 (ms)', record, '<=', 30),
    ]);
  });
});
