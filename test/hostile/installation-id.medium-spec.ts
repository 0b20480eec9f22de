import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis, type RedisServer } from '@fleet/testing';
import { Redis } from 'ioredis';
import { ServiceProcess, services, type ServiceName } from './service-process';

let folder: string;
let redis: RedisServer;
let client: Redis;
const started: ServiceProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-installation-'));
  for (const name of ['data', 'one', 'other']) mkdirSync(join(folder, name));
  redis = await startRedis();
  client = new Redis(redis.url);
});
afterAll(async () => {
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

// What there is to decide, installation-id.spec.ts has: here each service asks for it as it starts.
describe('services on one Redis', () => {
  it('agree on one id, which nobody else may read', async () => {
    await Promise.all((['gateway', 'executor-worker'] as const).map((name) => readily(name, 'one')));
    expect(await client.get('fleet:installation')).toBe(idOf('one'));
    expect(statSync(fileOf('one')).mode & 0o007).toBe(0);
  });

  it('of another work root do not start, say why and what to do, unless they have a prefix of their own', async () => {
    const foreign = await Promise.all(services.map((name) => start(name, 'other')));
    expect(await Promise.all(foreign.map(({ ended }) => ended))).toEqual(services.map(() => 78));
    for (const { said } of foreign) expect(said).toMatch(/other has none.*redis-cli DEL 'fleet:installation'/);
    await readily('decision-worker', 'other', { REDIS_KEY_PREFIX: 'second' });
  });
});
