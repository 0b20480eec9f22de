import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditPage } from '@fleet/contracts';
import { startRedis, type RedisServer } from '@fleet/testing';
import { Redis } from 'ioredis';
import { ServiceProcess } from '../hostile/service-process';

describe('the audit log of gateways that are killed', () => {
  let redis: RedisServer;
  let root: string;
  const started: ServiceProcess[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-audit-')));
    for (const folder of ['data', 'work']) mkdirSync(join(root, folder));
    writeFileSync(join(root, 'installation.key'), randomBytes(32).toString('base64'), { mode: 0o600 });
  });
  afterAll(async () => {
    await Promise.all(started.map((gateway) => gateway.kill()));
    await redis.stop();
    rmSync(root, { recursive: true });
  });

  const start = async (): Promise<ServiceProcess> => {
    const gateway = await ServiceProcess.start('gateway', {
      redisUrl: redis.url,
      workRoot: join(root, 'work'),
      dataRoot: join(root, 'data'),
      env: { FLEET_INSTALLATION_KEY_FILE: join(root, 'installation.key') },
    });
    started.push(gateway);
    await gateway.untilReady();
    return gateway;
  };
  const change = (gateway: ServiceProcess, request: string): Promise<Response> =>
    fetch(`${gateway.url}/v1/admin/launch`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-request-id': request },
      body: JSON.stringify({ mode: 'open', reason: request, by: 'root' }),
    });

  it('holds whatever a client was told of, once, also over an emptied Redis', async () => {
    const told: string[] = [];
    const both = [await start(), await start()];
    const askUntilDeath = async (gateway: ServiceProcess, name: string): Promise<void> => {
      for (let number = 0; ; number += 1) {
        const request = `${name}-${String(number)}`;
        const answer = await change(gateway, request).catch(() => undefined);
        if (answer === undefined) return;
        if (answer.ok) told.push(request);
        if (number === 30) gateway.child.kill('SIGKILL');
      }
    };
    await Promise.all(
      both.flatMap((gateway, index) => ['a', 'b'].map((name) => askUntilDeath(gateway, `${name}${String(index)}`))),
    );
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    const again = await start();
    const { entries, damages } = (await (await fetch(`${again.url}/v1/admin/audit?limit=1000`)).json()) as AuditPage;
    const done = entries.filter(({ outcome }) => outcome === 'done').map(({ request }) => request);
    expect(told.filter((request) => !done.includes(request))).toEqual([]);
    expect(new Set(entries.map(({ request }) => request)).size).toBe(entries.length);
    expect(entries.filter(({ outcome }) => outcome !== 'done' && outcome !== 'unknown')).toEqual([]);
    expect(
      damages.map(({ reason }) => reason).filter((reason) => !reason.startsWith('its last line is not whole')),
    ).toEqual([]);
  });
});
