import { LAUNCH_CONTROL, type LaunchControl } from '@fleet/ports';
import { freePort } from '@fleet/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { RealGateway } from './real-gateway';

describe('the metrics of the gateway', () => {
  let gateway: RealGateway;
  let metricsUrl = '';
  beforeAll(async () => {
    const port = await freePort();
    metricsUrl = `http://127.0.0.1:${String(port)}`;
    gateway = await RealGateway.start({ env: { FLEET_HEALTH_PORT: String(port) } });
  });
  afterAll(() => gateway.stop());

  const page = async (): Promise<string> => (await fetch(`${metricsUrl}/metrics`)).text();

  it('tell requests by the pattern of their address, and the fleet as Redis has it', async () => {
    const { id } = await gateway.submitted();
    await (await fetch(`${gateway.url}/v1/sessions/${id}`)).text();
    await (await fetch(`${gateway.url}/v1/sessions/${id}x`)).text();
    await (await fetch(`${gateway.url}/nowhere/${id}`)).text();
    await gateway.app.get<LaunchControl>(LAUNCH_CONTROL).set({ mode: 'paused', reason: '', by: '' });
    await pause(150);
    const text = await page();
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'phenix_fleet_http_requests_total{address="/v1/sessions",method="POST",code="201"} 1',
        'phenix_fleet_http_requests_total{address="/v1/sessions/:id",method="GET",code="200"} 1',
        'phenix_fleet_http_requests_total{address="none",method="GET",code="404"} 1',
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
        'phenix_fleet_redis_persistence_ok{part="aof"} 1',
      ]),
    );
    expect(text).toMatch(/^phenix_fleet_redis_memory_bytes [1-9]\d{5,}$/m);
    const [, oldest = ''] = /^phenix_fleet_queue_oldest_seconds\{queue="decisions"\} (.+)$/m.exec(text) ?? [];
    expect(Number(oldest)).toBeGreaterThan(0.1);
    expect(text).not.toContain(id);
    expect(text).not.toContain('reading_failed_total 1');
  });

  it('are on the port for those who run the service, and not on that of the API', async () => {
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${metricsUrl}/v1/sessions`)).status).toBe(404);
    expect((await fetch(`${metricsUrl}/health/ready`)).status).toBe(404);
    expect((await fetch(`${metricsUrl}/health/live`)).status).toBe(200);
  });

  it('are there while Redis is away, without what is in it', async () => {
    await gateway.redis.stop();
    let text = await page();
    // What was read before is told for seconds.
    while (/^phenix_fleet_(sessions|queue_jobs|worker_backlog|launches_open|orphans|redis_memory_bytes)/m.test(text)) {
      await pause(200);
      text = await page();
    }
    expect(text).toMatch(/^phenix_fleet_reading_failed_total [1-9]/m);
    expect(text).toMatch(/^phenix_fleet_http_requests_total\{/m);
  });
});
