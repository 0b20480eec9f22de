import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { RealGateway } from '../api/real-gateway';

/** Milliseconds: what a request may take when the database answers nobody, on the busiest machine. */
const bound = 120_000;

describe('a gateway whose database or work folder hangs', () => {
  let gateway: RealGateway;
  let id: string;

  const submission = (): string => JSON.stringify({ files: [gateway.reflections] });
  const ask = (method: string, path: string, body?: string): Promise<Response> =>
    fetch(`${gateway.url}${path}`, {
      method,
      signal: AbortSignal.timeout(bound),
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });

  beforeAll(async () => {
    gateway = await RealGateway.start();
    ({ id } = await gateway.submitted());
    await gateway.servers.foldersFollowed();
  });
  afterAll(async () => {
    gateway.servers.postgres.thaw();
    await gateway.stop();
  });

  it('answers every request in bounded time with 503, and recovers with the database', async () => {
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
    gateway.servers.postgres.freeze();
    const answers = await Promise.all(requests.map(([method, path, body]) => ask(method, path, body)));
    for (const [index, answer] of answers.entries()) {
      const [method, path] = requests[index] ?? [];
      expect([method, path, answer.status]).toEqual([method, path, 503]);
      expect(answer.headers.get('retry-after')).not.toBeNull();
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      await answer.body?.cancel();
    }
    gateway.servers.postgres.thaw();
    const again = await ask('GET', `/v1/sessions/${id}`);
    expect(again.status).toBe(200);
  });

  it('reports missing storage while the work folder is absent, and recovers with it', async () => {
    renameSync(join(gateway.root, 'work'), join(gateway.root, 'gone'));
    const answer = await ask('POST', '/v1/sessions', submission());
    const ready = await ask('GET', '/health/ready');
    renameSync(join(gateway.root, 'gone'), join(gateway.root, 'work'));
    expect(answer.status).toBe(503);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain('workRoot');
    expect((await ask('GET', '/health/ready')).status).toBe(200);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    const problem = (await answer.json()) as { readonly code: string; readonly detail: string };
    expect(problem.code).toBe('storage.unavailable');
    expect(problem.detail).not.toContain(gateway.root);
    expect((await ask('POST', '/v1/sessions', submission())).status).toBe(201);
  });
});
