import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis, type RedisServer } from '@fleet/testing';
import { Redis } from 'ioredis';
import { ServiceProcess, services, type ServiceName } from './service-process';

let folder: string;
let redis: RedisServer;
let client: Redis;
let started: ServiceProcess[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-installation-'));
  for (const name of ['data', 'one', 'other']) mkdirSync(join(folder, name));
  redis = await startRedis();
  client = new Redis(redis.url);
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((service) => service.kill()));
  client.disconnect();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (name: ServiceName, root: string, env = {}): Promise<ServiceProcess> => {
  const place = { redisUrl: redis.url, workRoot: join(folder, root), dataRoot: join(folder, 'data'), env };
  const service = await ServiceProcess.start(name, place);
  started.push(service);
  return service;
};
const readily = async (name: ServiceName, root: string, env = {}): Promise<ServiceProcess> => {
  const service = await start(name, root, env);
  await service.untilReady();
  return service;
};
const fileOf = (root: string): string => join(folder, root, '.phenix-fleet-installation');
const idOf = (root: string): string => readFileSync(fileOf(root), 'utf8').trim();

describe('services on one Redis', () => {
  it('agree on one id, however many start at once, which nobody else may read', async () => {
    await Promise.all(services.map((name) => readily(name, 'one')));
    expect(await client.get('fleet:installation')).toBe(idOf('one'));
    expect(statSync(fileOf('one')).mode & 0o007).toBe(0);
  });

  it('of another work root do not start, say why and what to do, unless they have a prefix of their own', async () => {
    await readily('gateway', 'one');
    const foreign = await Promise.all(services.map((name) => start(name, 'other')));
    expect(await Promise.all(foreign.map(({ ended }) => ended))).toEqual(services.map(() => 78));
    for (const { said } of foreign) expect(said).toMatch(/other has none.*redis-cli DEL 'fleet:installation'/);
    await readily('gateway', 'other', { REDIS_KEY_PREFIX: 'second' });
    const known = await start('decision-worker', 'other');
    await expect(known.ended).resolves.toBe(78);
    expect(known.said).toContain('is of another one');
  });

  it('put it into a Redis again that was emptied', async () => {
    await readily('gateway', 'one');
    await client.flushall();
    await readily('decision-worker', 'one');
    expect(await client.get('fleet:installation')).toBe(idOf('one'));
  });

  it.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    [
      'something else',
      (path: string) => {
        writeFileSync(path, 'x'.repeat(100_000));
      },
    ],
  ])('do not hang on %s in its place', async (_, make) => {
    make(fileOf('one'));
    const service = await start('decision-worker', 'one');
    await expect(service.ended).resolves.toBe(78);
    expect(service.said).toContain('does not hold the id of an installation');
  });
});
