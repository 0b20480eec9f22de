import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MeView } from '@fleet/contracts';
import { startRedis, type RedisServer } from '@fleet/testing';
import { Redis } from 'ioredis';
import { newKeyText } from '../../apps/gateway/src/access/key-text';
import { ServiceProcess } from '../hostile/service-process';

/** The gateway as a process of its own: where it listens is settled by its start. */
describe('where a gateway listens', () => {
  let redis: RedisServer;
  let root: string;
  const started: ServiceProcess[] = [];
  const { text: key } = newKeyText();

  beforeEach(async () => {
    redis = await startRedis();
    root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-bind-')));
    for (const folder of ['data', 'work']) mkdirSync(join(root, folder));
    writeFileSync(join(root, 'installation.key'), randomBytes(32).toString('base64'), { mode: 0o600 });
    writeFileSync(join(root, 'admin.key'), `${key}\n`, { mode: 0o600 });
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((gateway) => gateway.kill()));
    await redis.stop();
    rmSync(root, { recursive: true });
  });

  const start = async (env: Readonly<Record<string, string>>): Promise<ServiceProcess> => {
    const gateway = await ServiceProcess.start('gateway', {
      redisUrl: redis.url,
      workRoot: join(root, 'work'),
      dataRoot: join(root, 'data'),
      env: { FLEET_INSTALLATION_KEY_FILE: join(root, 'installation.key'), FLEET_KNOWLEDGE_DIR: knowledge, ...env },
    });
    started.push(gateway);
    return gateway;
  };
  const knowledge = join(__dirname, '../../knowledge');
  const anywhere = { FLEET_GATEWAY_HOST: '0.0.0.0' };
  const withKey = (): Readonly<Record<string, string>> => ({
    ...anywhere,
    FLEET_INITIAL_ADMIN_KEY_FILE: join(root, 'admin.key'),
  });

  const me = async (gateway: ServiceProcess, authorization?: string): Promise<readonly [number, MeView]> => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await fetch(`${gateway.url}/v1/me`, { headers });
    return [answer.status, (await answer.json()) as MeView];
  };

  it('is nowhere else than on this machine as long as nobody is known: it does not start, and says what to do', async () => {
    const gateway = await start(anywhere);
    expect(await gateway.ended).toBe(78);
    expect(gateway.said).toMatch(
      /FLEET_GATEWAY_HOST: is "0\.0\.0\.0", and no API key was ever made.*FLEET_WITHOUT_KEYS/s,
    );
  });

  it('is this machine by itself, and it says so', async () => {
    const gateway = await start({});
    await gateway.untilReady();
    expect(gateway.said).toContain('listens on this machine alone');
    expect(await me(gateway)).toMatchObject([200, { id: '', openTo: 'this-machine' }]);
  });

  it('is anywhere without keys where an administrator has said so', async () => {
    const gateway = await start({ ...anywhere, FLEET_WITHOUT_KEYS: 'anywhere' });
    await gateway.untilReady();
    expect(gateway.said).toContain('everybody who reaches the gateway may do everything');
    expect(await me(gateway)).toMatchObject([200, { id: '', openTo: 'everybody' }]);
  });

  it('is anywhere with the key of a file, for two at once, after a kill, and over an emptied Redis', async () => {
    const both = await Promise.all([start(withKey()), start(withKey())]);
    await Promise.all(both.map((gateway) => gateway.untilReady()));
    const authorization = `Bearer ${key}`;
    for (const gateway of both) {
      expect(await me(gateway)).toMatchObject([401, { code: 'access.no_credentials' }]);
      expect(await me(gateway, authorization)).toMatchObject([200, { id: 'administrator', role: 'admin' }]);
    }
    await Promise.all(both.map((gateway) => gateway.kill()));
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    // Its key is in the work folder: it needs neither Redis nor the file any more.
    const again = await start(anywhere);
    await again.untilReady();
    expect(await me(again, authorization)).toMatchObject([200, { id: 'administrator' }]);
  });
});
