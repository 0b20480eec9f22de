import { setTimeout as pause } from 'node:timers/promises';
import type { CheckupView } from '@fleet/contracts';
import { SESSION_RECORDS, type SessionRecords } from '@fleet/ports';
import { QueueLagProbe } from '@fleet/queue';
import { RealGateway } from './real-gateway';

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 120_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never seen: ${condition.toString()}`);
    await pause(20);
  }
};

describe('the gateway over Redis', () => {
  let gateway: RealGateway;
  beforeAll(async () => {
    gateway = await RealGateway.start();
  });
  afterAll(() => gateway.stop());

  const readiness = async (): Promise<number> => (await fetch(`${gateway.url}/health/ready`)).status;

  it('writes a session and puts its first step into the queue', async () => {
    const { id } = await gateway.submitted();
    expect(await gateway.app.get<SessionRecords>(SESSION_RECORDS).loadHead(id)).toMatchObject({
      status: 'running',
      version: 1,
    });
    await pause(150);
    const report = await gateway.app.get(QueueLagProbe).check();
    expect(report.detail.decisionsLagS).toBeGreaterThan(0);
  });

  it('looks at its Redis, its folders and its programs as a doctor does, and finds no dead steps', async () => {
    const { findings } = (await (await fetch(`${gateway.url}/v1/admin/doctor`)).json()) as CheckupView;
    const areas = new Set(findings.map(({ check }) => check.split('.')[0]));
    expect([...areas].sort()).toEqual(['data', 'executor', 'process', 'programs', 'redis', 'work']);
    // How fast and how full the machine of a test is says nothing.
    const errors = findings.filter(
      ({ check, level }) => level === 'error' && !/latency|sync|clock|space|inodes/.test(check),
    );
    expect(errors.map(({ check }) => check)).toEqual(['programs.installed']);
    const steps = await (await fetch(`${gateway.url}/v1/admin/steps`)).json();
    expect(steps).toEqual({ causes: [], steps: [], more: 0 });
  });

  it('knows an idempotency key after a restart', async () => {
    const first = await gateway.submitted('over-restarts');
    await gateway.restart();
    const again = await gateway.submit('over-restarts');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(((await again.json()) as { id: string }).id).toBe(first.id);
  });

  it('makes one session of a crowd with one key', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await gateway.submitted('crowd')).id));
    expect(new Set(ids).size).toBe(1);
  });

  it('streams on to a client that outlived the gateway', async () => {
    const { id } = await gateway.submitted();
    let seen = '';
    const watching = gateway.phx(['watch', id, '--json'], { onOut: (text) => (seen += text) });
    await until(() => Promise.resolve(seen.includes('session_submitted')));
    await gateway.restart();
    const to = { ended: { reason: 'converged', detail: 'done', afterCycle: 0 } } as const;
    const ended = { type: 'session_ended', cycle: 0, at: new Date().toISOString(), message: 'done', data: {} } as const;
    await gateway.app
      .get<SessionRecords>(SESSION_RECORDS)
      .advance({ sessionId: id, fromVersion: 1, to, events: [ended], dueInMs: 1 });
    const { code, out } = await watching;
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, 2]);
  });

  it('is out of service while Redis is away, answers 503, and comes back by itself', async () => {
    const { id } = await gateway.submitted();
    expect(await readiness()).toBe(200);
    await gateway.redis.kill();
    const answer = await fetch(`${gateway.url}/v1/sessions/${id}/status`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      503,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await readiness()).toBe(503);
    await gateway.redis.restart();
    await until(async () => (await readiness()) === 200);
    expect((await fetch(`${gateway.url}/v1/sessions/${id}/status`)).status).toBe(200);
  });

  it('gives the summary and the best files of the knowledge base', async () => {
    const { id } = await gateway.submitted();
    expect(await (await fetch(`${gateway.url}/v1/sessions/${id}/summary`)).text()).toContain(`Session ${id}`);
    const results = (await (await fetch(`${gateway.url}/v1/sessions/${id}/results`)).json()) as {
      bestFiles: unknown[];
    };
    expect(Array.isArray(results.bestFiles)).toBe(true);
    const programs = (await (await fetch(`${gateway.url}/v1/programs`)).json()) as { programs: { program: string }[] };
    expect(programs.programs.map(({ program }) => program)).toContain('phenix.refine');
  });
});
