import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Session } from '@fleet/contracts';
import { ownScript } from '@fleet/file-inspection';
import { SESSION_RECORDS, type SessionRecords } from '@fleet/ports';
import { QueueLagProbe } from '@fleet/queue';
import { sourceThreadArguments, startRedis, type RedisServer } from '@fleet/testing';
import { createGateway } from '../../apps/gateway/src/create-gateway';
import { gatewayModule } from '../../apps/gateway/src/gateway.module';
import { runPhx } from '../cli/scripted-terminal';
import { someReflections } from './gateway-harness';

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 120_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never seen: ${condition.toString()}`);
    await pause(20);
  }
};

/** From sources: a thread needs to be told how to read TypeScript. */
const inspectionScript = { ...ownScript, execArgv: sourceThreadArguments };

/** The gateway as a facility runs it, over a real Redis and the knowledge of this checkout. */
describe('the gateway over Redis', () => {
  let redis: RedisServer;
  let root: string;
  let app: NestFastifyApplication;
  let url: string;
  let data: string;
  const before = { ...process.env };

  const start = async (port: number): Promise<void> => {
    app = await createGateway(gatewayModule(inspectionScript), {
      maxBodyBytes: 1024 * 1024,
      logger: false,
      drainMs: 1000,
    });
    await app.listen(port, '127.0.0.1');
    url = `http://127.0.0.1:${String((app.getHttpServer().address() as AddressInfo).port)}`;
  };
  const restart = async (): Promise<void> => {
    const port = Number(new URL(url).port);
    await app.close();
    await start(port);
  };

  beforeAll(async () => {
    redis = await startRedis();
    root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-gateway-')));
    data = join(root, 'data');
    mkdirSync(data);
    mkdirSync(join(root, 'work'));
    writeFileSync(join(data, 'data.sca'), someReflections);
    Object.assign(process.env, {
      REDIS_URL: redis.url,
      FLEET_WORK_ROOT: join(root, 'work'),
      FLEET_DATA_ROOTS: data,
    });
    await start(0);
  });
  afterAll(async () => {
    await app.close();
    await redis.stop();
    rmSync(root, { recursive: true, force: true });
    process.env = before;
  });

  const submit = (key?: string): Promise<Response> =>
    fetch(`${url}/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
      body: JSON.stringify({ files: [join(data, 'data.sca')] }),
    });
  const submitted = async (key?: string): Promise<Session> => (await (await submit(key)).json()) as Session;
  const readiness = async (): Promise<number> => (await fetch(`${url}/health/ready`)).status;

  it('writes a session and puts its first step into the queue', async () => {
    const { id } = await submitted();
    expect(await app.get<SessionRecords>(SESSION_RECORDS).loadHead(id)).toMatchObject({
      status: 'running',
      version: 1,
    });
    await pause(150);
    const report = await app.get(QueueLagProbe).check();
    expect(report.detail.decisionsLagS).toBeGreaterThan(0);
  });

  it('knows an idempotency key after a restart', async () => {
    const first = await submitted('over-restarts');
    await restart();
    const again = await submit('over-restarts');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(((await again.json()) as Session).id).toBe(first.id);
  });

  it('makes one session of a crowd with one key', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await submitted('crowd')).id));
    expect(new Set(ids).size).toBe(1);
  });

  it('streams on to a client that outlived the gateway', async () => {
    const { id } = await submitted();
    let seen = '';
    const watching = runPhx(['--server', url, 'watch', id, '--json'], { onOut: (text) => (seen += text) });
    await until(() => Promise.resolve(seen.includes('session_submitted')));
    await restart();
    const to = { ended: { reason: 'converged', detail: 'done', afterCycle: 0 } } as const;
    const ended = { type: 'session_ended', cycle: 0, at: new Date().toISOString(), message: 'done', data: {} } as const;
    await app
      .get<SessionRecords>(SESSION_RECORDS)
      .advance({ sessionId: id, fromVersion: 1, to, events: [ended], dueInMs: 1 });
    const { code, out } = await watching;
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, 2]);
  });

  it('is out of service while Redis is away, answers 503, and comes back by itself', async () => {
    const { id } = await submitted();
    expect(await readiness()).toBe(200);
    await redis.kill();
    const answer = await fetch(`${url}/v1/sessions/${id}/status`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      503,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await readiness()).toBe(503);
    await redis.restart();
    await until(async () => (await readiness()) === 200);
    expect((await fetch(`${url}/v1/sessions/${id}/status`)).status).toBe(200);
  });

  it('gives the summary and the best files of the knowledge base', async () => {
    const { id } = await submitted();
    expect(await (await fetch(`${url}/v1/sessions/${id}/summary`)).text()).toContain(`Session ${id}`);
    const results = (await (await fetch(`${url}/v1/sessions/${id}/results`)).json()) as { bestFiles: unknown[] };
    expect(Array.isArray(results.bestFiles)).toBe(true);
    const programs = (await (await fetch(`${url}/v1/programs`)).json()) as { programs: { program: string }[] };
    expect(programs.programs.map(({ program }) => program)).toContain('phenix.refine');
  });
});
