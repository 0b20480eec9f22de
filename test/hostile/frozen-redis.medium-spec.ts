import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Session } from '@fleet/contracts';
import { ownScript } from '@fleet/file-inspection';
import { sourceThreadArguments, startRedis, type RedisServer } from '@fleet/testing';
import { Redis } from 'ioredis';
import { createGateway } from '../../apps/gateway/src/create-gateway';
import { gatewayModule } from '../../apps/gateway/src/gateway.module';
import { someReflections } from '../api/gateway-harness';

/** Milliseconds: what a request may take when Redis answers nobody, with room for a busy machine. */
const bound = 15_000;

describe('a gateway whose Redis or work folder stands still', () => {
  let redis: RedisServer;
  let pid: number;
  let root: string;
  let app: NestFastifyApplication;
  let url: string;
  let id: string;
  const before = { ...process.env };

  const submission = (): string => JSON.stringify({ files: [join(root, 'data/data.sca')] });
  const ask = (method: string, path: string, body?: string): Promise<Response> =>
    fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(bound),
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });

  beforeAll(async () => {
    redis = await startRedis();
    const control = new Redis(redis.url);
    pid = Number(/process_id:(\d+)/.exec(await control.info('server'))?.[1]);
    control.disconnect();
    root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-frozen-')));
    for (const name of ['data', 'work']) mkdirSync(join(root, name));
    writeFileSync(join(root, 'data/data.sca'), someReflections);
    Object.assign(process.env, {
      REDIS_URL: redis.url,
      FLEET_WORK_ROOT: join(root, 'work'),
      FLEET_DATA_ROOTS: join(root, 'data'),
    });
    // From sources: a thread needs to be told how to read TypeScript.
    const module = gatewayModule({ ...ownScript, execArgv: sourceThreadArguments });
    app = await createGateway(module, { maxBodyBytes: 1024 * 1024, logger: false, drainMs: 1000 });
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${String((app.getHttpServer().address() as AddressInfo).port)}`;
    id = ((await (await ask('POST', '/v1/sessions', submission())).json()) as Session).id;
  });
  afterAll(async () => {
    process.kill(pid, 'SIGCONT');
    await app.close();
    await redis.stop();
    rmSync(root, { recursive: true, force: true });
    process.env = before;
  });

  it('answers every request in bounded time with 503, and works again when Redis does', async () => {
    const requests = [
      ['GET', '/v1/sessions'],
      ['GET', `/v1/sessions/${id}`],
      ['GET', `/v1/sessions/${id}/status`],
      ['GET', `/v1/sessions/${id}/results`],
      ['GET', `/v1/sessions/${id}/events`],
      ['GET', '/v1/programs'],
      ['GET', '/v1/admin/status'],
      ['GET', '/health/ready'],
      ['POST', '/v1/sessions', submission()],
      ['POST', `/v1/sessions/${id}/cancel`],
      ['POST', '/v1/recoveries', '{}'],
    ] as const;
    process.kill(pid, 'SIGSTOP');
    const answers = await Promise.all(requests.map(([method, path, body]) => ask(method, path, body)));
    for (const [index, answer] of answers.entries()) {
      const [method, path] = requests[index] ?? [];
      expect([method, path, answer.status]).toEqual([method, path, 503]);
      expect(answer.headers.get('retry-after')).not.toBeNull();
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      await answer.body?.cancel();
    }
    process.kill(pid, 'SIGCONT');
    const again = await ask('GET', `/v1/sessions/${id}`);
    expect(again.status).toBe(200);
  });

  it('says that the storage is away while the work folder is not there, and works again when it is', async () => {
    renameSync(join(root, 'work'), join(root, 'gone'));
    const answer = await ask('POST', '/v1/sessions', submission());
    const ready = await ask('GET', '/health/ready');
    renameSync(join(root, 'gone'), join(root, 'work'));
    expect(answer.status).toBe(503);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain('workRoot');
    expect((await ask('GET', '/health/ready')).status).toBe(200);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    const problem = (await answer.json()) as { readonly code: string; readonly detail: string };
    expect(problem.code).toBe('storage.unavailable');
    expect(problem.detail).not.toContain(root);
    expect((await ask('POST', '/v1/sessions', submission())).status).toBe(201);
  });
});
