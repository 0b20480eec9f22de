import type { CheckupView } from '@fleet/contracts/administration';
import { LAUNCH_CONTROL, SESSION_RECORDS, type LaunchControl, type SessionRecords } from '@fleet/ports';
import { QueueLagProbe } from '@fleet/queue';
import { freePort } from '@fleet/testing';
import { eventually } from '../loop/loop-harness';
import { RealGateway } from './real-gateway';

describe('the gateway over Redis', () => {
  let gateway: RealGateway;
  let metricsUrl = '';
  beforeAll(async () => {
    const port = String(await freePort());
    metricsUrl = `http://127.0.0.1:${port}`;
    gateway = await RealGateway.start({ env: { FLEET_HEALTH_PORT: port } });
  });
  afterAll(() => gateway.stop());

  const readiness = async (): Promise<number> => (await fetch(`${gateway.url}/health/ready`)).status;
  const metrics = async (): Promise<string> => (await fetch(`${metricsUrl}/metrics`)).text();
  const ageOfOldest = (page: string): number =>
    Number(/^phenix_fleet_queue_oldest_seconds\{queue="decisions"\} (.+)$/m.exec(page)?.[1] ?? 0);

  it('stores a session, queues its first step, and counts both and each request in its metrics', async () => {
    const { id } = await gateway.submitted();
    expect(await gateway.app.get<SessionRecords>(SESSION_RECORDS).loadHead(id)).toMatchObject({
      status: 'running',
      version: 1,
    });
    await eventually(
      () => gateway.app.get(QueueLagProbe).check(),
      ({ detail }) => Number(detail.decisionsLagS) > 0,
    );
    await (await fetch(`${gateway.url}/v1/sessions/${id}`)).text();
    await (await fetch(`${gateway.url}/v1/sessions/${id}x`)).text();
    await (await fetch(`${gateway.url}/nowhere/${id}`)).text();
    await gateway.app.get<LaunchControl>(LAUNCH_CONTROL).set({ mode: 'paused', reason: '', by: '' });
    const text = await eventually(metrics, (page) => ageOfOldest(page) > 0.1);
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'phenix_fleet_http_requests_total{route="/v1/sessions",method="POST",code="201"} 1',
        'phenix_fleet_http_requests_total{route="/v1/sessions/:id",method="GET",code="200"} 1',
        'phenix_fleet_http_requests_total{route="none",method="GET",code="404"} 1',
        'phenix_fleet_queue_jobs{queue="decisions",state="waiting"} 1',
        'phenix_fleet_queue_jobs{queue="analyses",state="active"} 0',
        'phenix_fleet_worker_backlog{worker="decision-worker"} 1',
        'phenix_fleet_worker_backlog{worker="executor-worker"} 0',
        'phenix_fleet_worker_backlog{worker="log-analysis-worker"} 0',
        'phenix_fleet_sessions{status="running"} 1',
        'phenix_fleet_session_outcomes{outcome="solved"} 0',
        'phenix_fleet_launches_open 0',
        'phenix_fleet_orphans{state="removable"} 0',
        'phenix_fleet_event_streams 0',
      ]),
    );
    expect(text).toMatch(/^phenix_fleet_redis_memory_bytes [1-9]\d{5,}$/m);
    expect(text).not.toContain(id);
    expect(text).not.toContain('reading_failed_total 1');
  });

  it('serves its metrics on the operations port, not on the API port', async () => {
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${metricsUrl}/v1/sessions`)).status).toBe(404);
    expect((await fetch(`${metricsUrl}/health/ready`)).status).toBe(404);
    expect((await fetch(`${metricsUrl}/health/live`)).status).toBe(200);
  });

  it('checks its database, Redis, folders and programs in the doctor, and finds no dead steps', async () => {
    const { findings } = (await (await fetch(`${gateway.url}/v1/admin/doctor`)).json()) as CheckupView;
    const areas = new Set(findings.map(({ check }) => check.split('.')[0]));
    expect([...areas].sort()).toEqual(['data', 'database', 'executor', 'process', 'programs', 'redis', 'work']);
    // Speed and disk usage of the test machine are irrelevant.
    const errors = findings.filter(
      ({ check, level }) => level === 'error' && !/latency|sync|clock|space|inodes/.test(check),
    );
    expect(errors.map(({ check }) => check)).toEqual(['programs.installed']);
    const steps = await (await fetch(`${gateway.url}/v1/admin/steps`)).json();
    expect(steps).toEqual({ causes: [], steps: [], more: 0 });
  });

  it('creates one session for concurrent requests with one idempotency key', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await gateway.submitted('crowd')).id));
    expect(new Set(ids).size).toBe(1);
  });

  it('continues the stream of a client after its own restart, and still knows an idempotency key', async () => {
    const { id } = await gateway.submitted('over-restarts');
    let seen = '';
    const watching = gateway.phx(['watch', id, '--json'], { onOut: (text) => (seen += text) });
    await eventually(
      () => Promise.resolve(seen),
      (text) => text.includes('session_submitted'),
    );
    await gateway.restart();
    const again = await gateway.submit('over-restarts');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(((await again.json()) as { id: string }).id).toBe(id);
    const to = { ended: { reason: 'converged', detail: 'done', afterCycle: 0 } } as const;
    const ended = { type: 'session_ended', cycle: 0, at: new Date().toISOString(), message: 'done', data: {} } as const;
    await gateway.app
      .get<SessionRecords>(SESSION_RECORDS)
      .advance({ sessionId: id, fromVersion: 1, to, events: [ended], dueInMs: 1 });
    const { code, out } = await watching;
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, 2]);
  });

  it('returns the summary and the best files by the knowledge base', async () => {
    const { id } = await gateway.submitted();
    expect(await (await fetch(`${gateway.url}/v1/sessions/${id}/summary`)).text()).toContain(`Session ${id}`);
    const results = (await (await fetch(`${gateway.url}/v1/sessions/${id}/results`)).json()) as {
      bestFiles: unknown[];
    };
    expect(Array.isArray(results.bestFiles)).toBe(true);
    const programs = (await (await fetch(`${gateway.url}/v1/programs`)).json()) as { programs: { program: string }[] };
    expect(programs.programs.map(({ program }) => program)).toContain('phenix.refine');
  });

  it('is not ready while Redis is down, and recovers by itself', async () => {
    expect(await readiness()).toBe(200);
    await gateway.servers.redis.kill();
    expect(await readiness()).toBe(503);
    await gateway.servers.redis.restart();
    await eventually(readiness, (status) => status === 200);
  });

  it('is not ready while the database is down, answers 503, omits database metrics, and recovers by itself', async () => {
    const { id } = await gateway.submitted();
    expect(await readiness()).toBe(200);
    await gateway.servers.postgres.kill();
    const answer = await fetch(`${gateway.url}/v1/sessions/${id}/status`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      503,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await readiness()).toBe(503);
    // Cached values are served for seconds.
    const ofStore = /^phenix_fleet_(sessions|launches_open|orphans|database_bytes)/m;
    const text = await eventually(metrics, (page) => !ofStore.test(page));
    expect(text).toMatch(/^phenix_fleet_collection_errors_total [1-9]/m);
    expect(text).toMatch(/^phenix_fleet_http_requests_total\{/m);
    await gateway.servers.postgres.restart();
    await eventually(readiness, (status) => status === 200);
    expect((await fetch(`${gateway.url}/v1/sessions/${id}/status`)).status).toBe(200);
  });
});
