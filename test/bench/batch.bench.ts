import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BatchView } from '@fleet/contracts/batches';
import type { SessionView } from '@fleet/contracts/sessions';
import { freePort, mtzBytes } from '@fleet/testing';
import { GatewayGround } from '../loop/gateway-ground';
import { startScript, type TestProcess } from '../loop/idle-process';
import { startServers, type Servers } from '../support/servers';
import { deliver, figure, quantile, secondsOf } from './figures';

const ROWS = Number(process.env['FLEET_BENCH_ROWS'] ?? '10000');
/** Rows of a batch that is not counted. */
const WARM_UP_ROWS = 300;
/** Milliseconds between two requests beside the work. */
const BESIDE_MS = 20;

let servers: Servers;
let gateway: TestProcess;
let url: string;
let ground: GatewayGround;
let data: string;

const columns = [
  ...['H', 'K', 'L'].map((label) => [label, 'H'] as const),
  ['FP', 'F', 1, 100] as const,
  ['SIGFP', 'Q', 1, 10] as const,
];

beforeAll(async () => {
  servers = await startServers();
  ground = new GatewayGround(servers.env);
  data = dirname(ground.input);
  const bytes = mtzBytes({ columns, reflections: 100 });
  for (let row = 0; row < ROWS; row += 1) {
    // Data of its own: sessions of the same data are looked up, and told.
    bytes.writeUInt32LE(row, 80);
    writeFileSync(join(data, `${String(row)}.mtz`), bytes);
  }
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  gateway = startScript('dist/apps/gateway/src/main.js', [], { ...ground.env, FLEET_GATEWAY_PORT: port });
  await gateway.ready;
});

afterAll(async () => {
  gateway.child.kill('SIGKILL');
  await gateway.ended;
  await servers.stop();
  ground.dispose();
});

const ask = async <T>(path: string, request?: RequestInit): Promise<T> => {
  const answer = await fetch(`${url}${path}`, request);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
};

/** MiB that the gateway holds. */
const memory = (): number => {
  const status = readFileSync(`/proc/${String(gateway.child.pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
};

/** Asks for a session's status again and again, as other clients do meanwhile. */
class Beside {
  /** Milliseconds. */
  readonly times: number[] = [];
  maxMemory = 0;
  private over = false;
  private asking: Promise<void> = Promise.resolve();

  constructor(private readonly path: string) {}

  start(): void {
    this.asking = this.ask();
  }

  async stop(): Promise<void> {
    this.over = true;
    await this.asking;
  }

  private async ask(): Promise<void> {
    while (!this.over) {
      const start = performance.now();
      await ask(this.path);
      this.times.push(performance.now() - start);
      this.maxMemory = Math.max(this.maxMemory, memory());
      await pause(BESIDE_MS);
    }
  }
}

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const manifestOf = (rows: number, title: string): string =>
  ['files,title', ...Array.from({ length: rows }, (_, row) => `${String(row)}.mtz,${title} ${String(row)}`), ''].join(
    '\n',
  );

const csv = (body: string): RequestInit => ({ method: 'POST', headers: { 'content-type': 'text/csv' }, body });

const untilLookedAt = async (id: string): Promise<void> => {
  while ((await ask<BatchView>(`/v1/batches/${id}`)).states.waiting > 0) await pause(200);
};

/** Threads that inspect, and code that is compiled: a gateway that has worked before has them. */
const warmUp = async (): Promise<void> => {
  const { id } = await ask<BatchView>('/v1/batches', json({ base: data }));
  await ask(`/v1/batches/${id}/rows`, csv(manifestOf(WARM_UP_ROWS, 'before')));
  await untilLookedAt(id);
};

describe('a batch of ten thousand rows', () => {
  it('is accepted in seconds, and becomes sessions while others are served', async () => {
    const { id: session } = await ask<SessionView>('/v1/sessions', json({ files: [join(data, '0.mtz')] }));
    const { id } = await ask<BatchView>('/v1/batches', json({ base: data, proposal: 'mx1' }));
    await ask(`/v1/batches/${id}/pause`, { method: 'POST' });
    const manifest = manifestOf(ROWS, 'row');
    await warmUp();
    const before = memory();
    const beside = new Beside(`/v1/sessions/${session}/status`);
    beside.start();
    const accepted = await secondsOf(async () => {
      await ask(`/v1/batches/${id}/rows?complete=true`, csv(manifest));
    });
    const inspected = await secondsOf(async () => {
      await ask(`/v1/batches/${id}/resume`, { method: 'POST' });
      await untilLookedAt(id);
    });
    await beside.stop();
    const { states } = await ask<BatchView>(`/v1/batches/${id}`);
    expect(states.accepted).toBe(ROWS);
    deliver([
      figure(`a manifest of ${ROWS.toLocaleString('en')} rows until all are durable (s)`, accepted, '<=', 5),
      figure('… until each has been inspected and is a session (s)', inspected, '<=', 60),
      figure('a status asked for meanwhile, 95 of 100 (ms)', quantile(beside.times, 0.95), '<=', 100),
      figure('memory that a gateway which has worked before takes for it (MiB)', beside.maxMemory - before, '<=', 150),
    ]);
  });
});
