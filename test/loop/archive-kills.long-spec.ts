import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session, StoredEvent } from '@fleet/contracts';
import { SessionArchiveFolder } from '@fleet/session-folder';
import { ArchivedSessionEvents, ArchivedSessionRecords, connectStore, RedisStore } from '@fleet/session-store';
import { startRedis, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { runRecorded } from '../bench/recorded-runs';
import { startScript } from './idle-process';
import { KeptProcess } from './kept-process';
import { eventually } from './loop-harness';
import { anySeed, killAlong, seeded, someKills, type Victim } from './seeded-kills';

const SESSIONS = 300;
const KILLS = 20;

let server: RedisServer;
let redis: Redis;
let store: RedisStore;
let archivers: readonly KeptProcess[];
const workRoot = mkdtempSync(join(tmpdir(), 'fleet-archive-kills-'));

beforeAll(async () => {
  server = await startRedis();
  redis = connectStore({ url: server.url });
  redis.on('error', () => undefined);
  store = new RedisStore(redis, 'fleet');
});

afterAll(async () => {
  await Promise.all(archivers.map((archiver) => archiver.stop()));
  store.close();
  redis.disconnect();
  await server.stop();
  rmSync(workRoot, { recursive: true });
});

interface Known {
  readonly session: Session | undefined;
  readonly events: readonly StoredEvent[];
  readonly transitions: readonly string[];
}

const known = async (id: string, { records, events }: Pick<RedisStore, 'records' | 'events'>): Promise<Known> => ({
  session: await records.load(id),
  events: await events.after(id, '0', 1000),
  transitions: await events.transitions(id),
});

/** Sessions that are archived. */
const archivedCount = async (): Promise<number> => SESSIONS - (await redis.zcard('fleet:ended'));

/** What Redis holds of a session beside its row. */
const remains = async (id: string): Promise<readonly string[]> => {
  const fields = await redis.hkeys(`fleet:s:${id}`);
  const keys = await redis.exists(`fleet:e:${id}`, `fleet:t:${id}`);
  return [...fields.filter((field) => /^(?:[cx]:|request|paged)/.test(field)), ...(keys > 0 ? ['a key'] : [])];
};

describe('archiving while its workers and Redis are killed', () => {
  it(
    'loses nothing and leaves nothing half deleted',
    seeded(anySeed(), async (dice) => {
      const before = new Map<string, Known>();
      for (let index = 0; index < SESSIONS; index += 1) {
        const id = await runRecorded(store.records, workRoot, { cycles: 1 + (index % 3), ended: true });
        before.set(id, await known(id, store));
      }
      archivers = [0, 1].map(
        () => new KeptProcess(() => startScript('test/loop/archiver.main.ts', [server.url, workRoot], {})),
      );
      const victims: readonly Victim[] = [
        ...archivers.map((archiver) => ({ name: 'archiver', kill: () => archiver.killWhenUp() })),
        { name: 'Redis', kill: () => server.restart() },
      ];
      await killAlong(someKills(dice, victims, KILLS, SESSIONS), archivedCount);
      await eventually(archivedCount, (count) => count === SESSIONS);
      const folder = new SessionArchiveFolder(workRoot);
      const archived = {
        records: new ArchivedSessionRecords(store.records, store.archive, folder),
        events: new ArchivedSessionEvents(store.events, store.archive, folder),
      };
      for (const [id, was] of before) {
        expect(await known(id, archived)).toEqual(was);
        expect(await remains(id)).toEqual([]);
      }
      const page = await store.index.list({ status: 'completed' }, SESSIONS + 1);
      expect(page.sessions.map(({ id }) => id).sort()).toEqual([...before.keys()].sort());
    }),
  );
});
