import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { aCycle, aNewSession, anEvent, startPostgres, type PostgresServer } from '@fleet/testing';
import { GatewayHarness } from '../api/gateway-harness';
import { openStore, type OpenStore } from '../support/servers';
import { deliver, figure, median } from './figures';

const ROUNDS = 9;
/** Rounds that are not counted: the compiler needs a while until both run at their speed. */
const WARM_UP = 3;
const ROUND_MS = 800;
const CONNECTIONS = 16;

let server: PostgresServer;
let gateway: GatewayHarness;
let opened: OpenStore;
let client: Worker;
let status: string;

beforeAll(async () => {
  server = await startPostgres();
  opened = await openStore(await server.newDatabase());
  const { store } = opened;
  gateway = await GatewayHarness.start({ store });
  const made = aNewSession();
  await store.records.create(made, [anEvent()], 60_000);
  // A session as it is polled: with a record behind it that a status need not read.
  const to = { stage: 'executing', cycle: 2, attempt: 1 } as const;
  await store.records.advance({
    sessionId: made.id,
    fromVersion: 1,
    to,
    cycleRecord: aCycle(),
    events: [],
    dueInMs: 60_000,
  });
  status = `/v1/sessions/${made.id}/status`;
  const port = Number(new URL(await gateway.listen()).port);
  client = new Worker(join(__dirname, 'http-load.mjs'), { workerData: { port, connections: CONNECTIONS } });
});

afterAll(async () => {
  await client.terminate();
  await gateway.stop();
  await opened.close();
  await server.stop();
});

/** Requests per second. */
const rate = async (path: string): Promise<number> => {
  client.postMessage({ path, ms: ROUND_MS });
  const [answered] = (await once(client, 'message')) as [number];
  return answered;
};

describe('status against ping', () => {
  it('keeps a fair part of the requests per second', async () => {
    const ratios: number[] = [];
    for (let round = 1 - WARM_UP; round <= ROUNDS; round += 1) {
      const ping = await rate('/v1/ping');
      const statusRate = await rate(status);
      if (round > 0) ratios.push(statusRate / ping);
    }
    deliver([
      figure(
        'status GET (Fastify, PostgreSQL) against a bare ping of the same server (requests/s)',
        median(ratios),
        '>=',
        0.35,
      ),
    ]);
  });
});
