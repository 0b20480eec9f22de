import { HealthConfig } from '@fleet/config';
import { freePort } from '@fleet/testing';
import { Logger } from '@nestjs/common';
import { HealthListener } from './health-listener';
import type { HealthService } from './health.service';

describe('the health listener of a worker', () => {
  let base = '';
  let listener: HealthListener;
  beforeEach(async () => {
    Logger.overrideLogger(false);
    const port = await freePort();
    base = `http://127.0.0.1:${String(port)}`;
    const health = { ready: () => Promise.resolve({ status: 'ok' }) } as unknown as HealthService;
    listener = new HealthListener(Object.assign(new HealthConfig(), { port, host: '127.0.0.1' }), health);
    await listener.onApplicationBootstrap();
  });
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`${base}${path}`, { headers: { connection: 'close' } })).status;

  it('is alive and not ready while the steps drain, and gone afterwards', async () => {
    await expect(Promise.all([statusOf('/health/live'), statusOf('/health/ready')])).resolves.toEqual([200, 200]);
    listener.beforeApplicationShutdown();
    await expect(Promise.all([statusOf('/health/live'), statusOf('/health/ready')])).resolves.toEqual([200, 503]);
    listener.onApplicationShutdown();
    await expect(statusOf('/health/live')).rejects.toThrow('fetch failed');
  });

  it('says where to ask', async () => {
    await expect(statusOf('/')).resolves.toBe(404);
    listener.onApplicationShutdown();
  });
});
