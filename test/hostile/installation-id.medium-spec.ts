import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { Client } from 'pg';
import { startServers, type Servers } from '../support/servers';
import { ServiceProcess, services, type ServiceName } from './service-process';

const folder = useFolder('file');
let servers: Servers;
let client: Client;
const started: ServiceProcess[] = [];

beforeAll(async () => {
  for (const name of ['data', 'one', 'other']) mkdirSync(join(folder, name));
  servers = await startServers();
  client = new Client({ connectionString: servers.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await Promise.all(started.map((service) => service.kill()));
  await client.end();
  await servers.stop();
});

const start = async (name: ServiceName, root: string, env = {}): Promise<ServiceProcess> => {
  const options = { servers: servers.env, workRoot: join(folder, root), dataRoot: join(folder, 'data'), env };
  const service = await ServiceProcess.start(name, options);
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

// installation-id.spec.ts covers the rules. Here each service applies them as it starts.
describe('services on one database', () => {
  it('agree on one id, which only its owner may read', async () => {
    await Promise.all((['gateway', 'executor-worker'] as const).map((name) => readily(name, 'one')));
    expect((await client.query('SELECT id FROM installation')).rows).toEqual([{ id: idOf('one') }]);
    expect(statSync(fileOf('one')).mode & 0o007).toBe(0);
  });

  it('of another work root do not start, with reason and remedy, unless they have their own database', async () => {
    const foreign = await Promise.all(services.map((name) => start(name, 'other')));
    expect(await Promise.all(foreign.map(({ ended }) => ended))).toEqual(services.map(() => 78));
    for (const { said } of foreign) expect(said).toMatch(/other has none.*DELETE FROM installation/);
    await readily('decision-worker', 'other', {
      DATABASE_URL: await servers.postgres.newDatabase(),
      REDIS_KEY_PREFIX: 'second',
    });
  });
});
