import { HealthConfig } from '@fleet/config';
import { freePort } from '@fleet/testing';
import { Logger } from '@nestjs/common';
import { HealthListener } from './health-listener';
import type { HealthService } from './health.service';
import { ProcessMetrics } from './process-metrics';

describe('the health listener of a worker', () => {
  let base = '';
  let listener: HealthListener;
  beforeEach(async () => {
    Logger.overrideLogger(false);
    const port = await freePort();
    base = `http://127.0.0.1:${String(port)}`;
    const health = { ready: () => Promise.resolve({ status: 'ok' }) } as unknown as HealthService;
    const config = Object.assign(new HealthConfig(), { port, host: '127.0.0.1' });
    listener = new HealthListener(config, new ProcessMetrics(), health);
    await listener.onApplicationBootstrap();
  });
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`${base}${path}`, { headers: { connection: 'close' } })).status;

  it('is alive and not ready while the steps drain, and closed afterwards', async () => {
    await expect(Promise.all([statusOf('/health/live'), statusOf('/health/ready')])).resolves.toEqual([200, 200]);
    listener.beforeApplicationShutdown();
    await expect(Promise.all([statusOf('/health/live'), statusOf('/health/ready')])).resolves.toEqual([200, 503]);
    listener.onApplicationShutdown();
    await expect(statusOf('/health/live')).rejects.toThrow('fetch failed');
  });

  it("serves the process's metrics", async () => {
    const answer = await fetch(`${base}/metrics`, { headers: { connection: 'close' } });
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    await expect(answer.text()).resolves.toContain('process_cpu_seconds_total');
    listener.onApplicationShutdown();
  });

  it('lists its paths', async () => {
    await expect(statusOf('/')).resolves.toBe(404);
    listener.onApplicationShutdown();
  });
});
