import { request } from 'node:http';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BatchPriority, BatchState, BatchView, RowsAdded } from '@fleet/contracts/batches';
import type { PostgresStore } from '@fleet/store';
import { freePort } from '@fleet/testing';
import { GatewayGround } from '../loop/gateway-ground';
import { KeptProcess } from '../loop/kept-process';
import { anySeed, killAlong, seeded, someKills } from '../loop/seeded-kills';
import { openStore, startServers, type OpenStore, type Servers } from '../support/servers';

const ROWS = 600;
const KILLS = 10;
/** Rows that a gateway may be starting while the priority of their batch is changed. */
const CLAIMED = 32;

let servers: Servers;
let opened: OpenStore;
let store: PostgresStore;
let ground: GatewayGround;
let gateway: KeptProcess;
let url: string;

beforeAll(async () => {
  servers = await startServers();
  opened = await openStore(servers.databaseUrl);
  ({ store } = opened);
  ground = new GatewayGround(servers.env);
  const port = await freePort();
  url = `http://127.0.0.1:${String(port)}`;
  gateway = new KeptProcess(() => ground.gateway(port));
});

afterAll(async () => {
  await gateway.stop();
  await opened.close();
  await servers.stop();
  ground.dispose();
});

/** Repeats a request until a gateway answers; a killed gateway may have done all, some or none of it. */
const persistently = async <T>(path: string, body: () => RequestInit): Promise<T> => {
  for (;;) {
    const answer = await fetch(`${url}${path}`, { method: 'POST', ...body() }).catch(() => undefined);
    if (answer?.ok === true) return (await answer.json()) as T;
    if (answer !== undefined && answer.status < 500) throw new Error(await answer.text());
    await pause(50);
  }
};

const manifest = ['files,title', ...Array.from({ length: ROWS }, (_, row) => `x.sca,row ${String(row)}`), ''].join(
  '\n',
);
const csv = { 'content-type': 'text/csv' };

const stateOf = async (id: string): Promise<BatchState> => {
  const state = await store.batches.load(id);
  if (state === undefined) throw new Error('the batch is gone');
  return state;
};

const until = async (id: string, done: (state: BatchState) => boolean): Promise<BatchState> => {
  for (let state = await stateOf(id); ; state = await stateOf(id)) {
    if (done(state)) return state;
    await pause(2);
  }
};

/** A manifest of which the second half never arrives; resolves when the connection is lost. */
const sendHalf = async (id: string): Promise<string> => {
  const sending = request(`${url}/v1/batches/${id}/rows`, { method: 'POST', headers: csv });
  const ended = new Promise<string>((done) => {
    sending.once('error', () => done('lost'));
    sending.once('response', () => done('answered'));
  });
  sending.write(manifest.slice(0, manifest.length / 2));
  return ended;
};

/** Returns how many sessions there are once it is changed. */
const changePriority = async (id: string): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ priority: 'backfill' });
  await persistently<BatchPriority>(`/v1/batches/${id}/priority`, () => ({ headers, body }));
  return (await store.index.list({}, 2 * ROWS)).sessions.length;
};

it(
  'makes each row one session, though its gateway is killed ten times',
  seeded(anySeed(), async (dice) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'campaign' };
    const body = JSON.stringify({ base: dirname(ground.input), proposal: 'mx1' });
    const { id } = await persistently<BatchView>('/v1/batches', () => ({ headers, body }));
    const lost = sendHalf(id);
    await until(id, ({ rows }) => rows > 0);
    await gateway.killWhenUp();
    expect(await lost).toBe('lost');
    const added = persistently<RowsAdded>(`/v1/batches/${id}/rows?complete=true`, () => ({
      headers: csv,
      body: manifest,
    }));
    const accepted = async (): Promise<number> => (await stateOf(id)).states.accepted;
    const kills = someKills(dice, [{ name: 'gateway', kill: () => gateway.killWhenUp() }], KILLS - 1, ROWS);
    const half = KILLS / 2;
    await killAlong(kills.slice(0, half), accepted);
    const changed = changePriority(id);
    await killAlong(kills.slice(half), accepted);
    expect(await added).toMatchObject({ rows: ROWS, unreadable: 0 });
    const { states } = await until(id, (state) => state.states.waiting === 0);
    expect(states).toMatchObject({ accepted: ROWS, rejected: 0 });
    const { sessions } = await store.index.list({}, 2 * ROWS);
    expect(sessions.map(({ title }) => title).sort()).toEqual(
      Array.from({ length: ROWS }, (_, row) => `row ${String(row)}`).sort(),
    );
    expect(new Set(sessions.map(({ batch }) => batch))).toEqual(new Set([id]));
    const rows = await store.batches.rows(id, 0, ROWS);
    expect(rows.map(({ session }) => session).sort()).toEqual(sessions.map((session) => session.id).sort());
    expect(await store.batches.sessions(id)).toMatchObject({ running: ROWS });
    const earlier = await changed;
    const priorities = await Promise.all(
      sessions.map(async (session) => (await store.records.load(session.id))?.request.priority),
    );
    const unchanged = priorities.filter((priority) => priority === 'standard').length;
    expect(priorities.filter((priority) => priority === 'backfill')).toHaveLength(ROWS - unchanged);
    expect(unchanged).toBeGreaterThan(0);
    expect(unchanged).toBeLessThanOrEqual(Math.min(earlier + CLAIMED, ROWS - 1));
  }),
);
