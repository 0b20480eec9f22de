import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { aNewSession, anEvent } from '@fleet/testing';
import { GatewayHarness } from '../api/gateway-harness';
import { openStore } from '../support/servers';
import { figure, type Figure } from './figures';

const CLIENTS = Number(process.env['FLEET_BENCH_CLIENTS'] ?? '2000');
/** Moves of sessions that are told to all of them, and milliseconds between two. */
const MOVES = 100;
const MOVE_MS = 100;
const POLLERS = 1_000;
const POLL_MS = 5_000;
const POLLING_MS = 40_000;
/** Milliseconds between two moves of one session: programs run for minutes. */
const SESSION_MOVES_MS = 180_000;

const options = { maxEventStreams: CLIENTS + 10, heartbeatMs: 15_000 };

/** Asks a thread of clients. */
const asking =
  (worker: Worker) =>
  async <T>(command: string, more: object = {}): Promise<T> => {
    worker.postMessage({ command, ...more });
    const [{ answer, error }] = (await once(worker, 'message')) as [{ answer: T; error?: string }];
    if (error !== undefined) throw new Error(`${command}: ${error}`);
    return answer;
  };

const portOf = async (gateway: GatewayHarness): Promise<number> => Number(new URL(await gateway.listen()).port);

/** Many clients of the stream of all sessions: how soon they hear, and whether they miss anything when their gateway is lost. */
export const eventFigures = async (databaseUrl: string): Promise<readonly Figure[]> => {
  const [one, other] = [await openStore(databaseUrl), await openStore(databaseUrl)];
  const { records } = one.store;
  const gateways = await Promise.all([one, other].map(({ store }) => GatewayHarness.start({ store, options })));
  const [first, second] = await Promise.all(gateways.map(portOf));
  const worker = new Worker(join(__dirname, 'event-clients.mjs'), { workerData: { clients: CLIENTS } });
  const ask = asking(worker);
  let sent = 0;
  const tell = async (count: number): Promise<void> => {
    for (let move = 0; move < count; move += 1) {
      const at = performance.timeOrigin + performance.now();
      const events = [anEvent({ message: `${String(sent)} ${at.toFixed(1)}` })];
      sent += 1;
      await records.create(aNewSession(), events, 60_000);
      await pause(MOVE_MS);
    }
  };
  try {
    await ask('open', { port: first });
    await tell(MOVES);
    await pause(2_000);
    const { p95, count } = await ask<{ p95: number; count: number }>('latencies');
    if (count !== MOVES * CLIENTS) throw new Error(`${String(count)} of ${String(MOVES * CLIENTS)} were heard`);
    await ask('leave');
    await tell(20);
    await ask('open', { port: second });
    await tell(20);
    await pause(5_000);
    const gaps = await ask<number>('gaps', { until: sent });
    const among = `${String(CLIENTS)} clients of one event stream`;
    return [
      figure(`${among}, from the event to the client, p95 (ms)`, p95, '<=', 1000),
      figure(`${among}, those that missed or repeated a move when their gateway was lost`, gaps, '<=', 0),
    ];
  } finally {
    await worker.terminate();
    for (const gateway of gateways) await gateway.stop();
    for (const opened of [one, other]) await opened.close();
  }
};

/** Clients that poll a status each, of sessions that move every few minutes. */
export const pollerFigures = async (databaseUrl: string): Promise<readonly Figure[]> => {
  const opened = await openStore(databaseUrl);
  const { store } = opened;
  const gateway = await GatewayHarness.start({ store });
  const made = Array.from({ length: POLLERS }, () => aNewSession());
  for (const session of made) await store.records.create(session, [anEvent()], 60_000);
  const ids = made.map(({ id }) => id);
  const workerData = { port: await portOf(gateway), ids, everyMs: POLL_MS };
  const worker = new Worker(join(__dirname, 'pollers.mjs'), { workerData });
  const versions = new Map(ids.map((id) => [id, 1]));
  const move = async (id: string): Promise<void> => {
    const fromVersion = versions.get(id) ?? 1;
    const to = { stage: 'deciding', cycle: fromVersion + 1, attempt: 1 } as const;
    await store.records.advance({ sessionId: id, fromVersion, to, events: [], dueInMs: 60_000 });
    versions.set(id, fromVersion + 1);
  };
  const moving = new AbortController();
  const movesEnd = (async (): Promise<void> => {
    for (let index = 0; !moving.signal.aborted; index += 1) {
      await move(ids[(index * 7) % ids.length] ?? '');
      await pause(SESSION_MOVES_MS / POLLERS);
    }
  })();
  try {
    worker.postMessage({ ms: POLLING_MS });
    const [{ asked, unchanged }] = (await once(worker, 'message')) as [{ asked: number; unchanged: number }];
    const what = `${String(POLLERS)} clients that poll a status every ${String(POLL_MS / 1000)} s with its ETag`;
    return [figure(`${what}: share that is answered 304`, unchanged / asked, '>=', 0.95)];
  } finally {
    moving.abort();
    await movesEnd;
    await worker.terminate();
    await gateway.stop();
    await opened.close();
  }
};
