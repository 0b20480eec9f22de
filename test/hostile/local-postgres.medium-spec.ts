import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { useFolder } from '@fleet/testing';
import { Client } from 'pg';
import { setupScript } from './setup-scripts';

interface PartState {
  port?: number;
  pid?: number;
  urlFile?: string;
}
const { postgresStarter, postgresIsReady } = setupScript('standalone-parts.mjs') as {
  readonly postgresStarter: (
    folder: string,
    how: { save: () => void; mayMove: () => boolean },
  ) => (known: PartState) => Promise<ChildProcess | undefined>;
  readonly postgresIsReady: (folder: string) => boolean;
};
const { stopServers } = setupScript('standalone-state.mjs') as {
  readonly stopServers: (state: object) => Promise<void>;
};
const { identify } = setupScript('processes.mjs') as { readonly identify: (pid: number) => object };

const isRoot = process.getuid?.() === 0;
/** A user of every system. */
const daemon = 1;

/** The PostgreSQL of `npm run standalone`, in a folder that only its owner may enter. */
describe('the PostgreSQL of an installation on one machine', () => {
  const top = useFolder('file');
  const folder = join(top, 'standalone');
  let known: PartState;
  let server: ChildProcess | undefined;
  beforeAll(() => {
    mkdirSync(folder, { mode: 0o750 });
    if (isRoot) chownSync(folder, daemon, daemon);
  });
  afterAll(async () => {
    await stopServers({ postgres: identify(server?.pid ?? 0) });
  });

  const start = async (mayMove = true): Promise<ChildProcess | undefined> => {
    const child = await postgresStarter(folder, { save: () => undefined, mayMove: () => mayMove })(known);
    server = child ?? server;
    while (!postgresIsReady(folder) && server?.exitCode === null) await sleep(20);
    return child;
  };
  const query = async (text: string): Promise<unknown> => {
    const url = readFileSync(join(folder, 'postgres/url'), 'utf8').trim();
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>[]>({ text, rowMode: 'array' })).rows[0]?.[0];
    } finally {
      await client.end();
    }
  };
  const kill = async (): Promise<void> => {
    const ended = once(server ?? process, 'exit');
    server?.kill('SIGKILL');
    await ended;
  };
  const note = (): string => join(folder, 'postgres/data/postmaster.pid');

  it('is created once, durable, with a password that only its owner may read and no command line shows', async () => {
    known = {};
    await start();
    expect(await query('SHOW fsync')).toBe('on');
    expect(await query('SELECT current_database()')).toBe('fleet');
    expect(await query('SHOW server_encoding')).toBe('UTF8');
    for (const name of ['password', 'url', 'postgres.log'])
      expect(statSync(join(folder, 'postgres', name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'postgres/data')).mode & 0o777).toBe(0o700);
    const password = readFileSync(join(folder, 'postgres/password'), 'utf8').trim();
    expect(password).toMatch(/^[0-9a-f]{64}$/);
    expect(spawnSync('ps', ['axww', '-o', 'args='], { encoding: 'utf8' }).stdout).not.toContain(password);
    await query('CREATE TABLE seen (what text)');
    const stranger = new Client({ connectionString: `postgres://fleet:guess@127.0.0.1:${String(known.port)}/fleet` });
    await expect(stranger.connect()).rejects.toThrow('password authentication failed');
  });

  it('does not run as root, but as the owner of the installation', () => {
    expect(statSync(join(folder, 'postgres/data')).uid).toBe(isRoot ? daemon : process.getuid?.());
  });

  it('is adopted on its port by a supervisor without a record of it', async () => {
    const before = known;
    known = {};
    expect(await start()).toBeUndefined();
    expect(known).toMatchObject({ port: before.port, pid: server?.pid });
  });

  it('keeps committed data when it is killed, and is restarted', async () => {
    await query("INSERT INTO seen VALUES ('a row')");
    await kill();
    await start();
    expect(await query('SELECT what FROM seen')).toBe('a row');
  });

  it('is started when another program has its old process id', async () => {
    await kill();
    const [, ...rest] = readFileSync(note(), 'utf8').split('\n');
    writeFileSync(note(), [process.pid, ...rest].join('\n'));
    await start();
    expect(await query('SELECT count(*)::integer FROM seen')).toBe(1);
  });

  it('ends at once though a client is connected, and leaves nothing to recover from', async () => {
    const client = new Client({ connectionString: readFileSync(join(folder, 'postgres/url'), 'utf8').trim() });
    client.on('error', () => undefined);
    await client.connect();
    const ended = once(server ?? process, 'exit');
    await stopServers({ postgres: identify(server?.pid ?? 0) });
    expect(await ended).toEqual([0, null]);
  });

  it('uses another port if its own is occupied, unless a service knows the port', async () => {
    const stranger = createServer().listen(known.port, '127.0.0.1');
    await once(stranger, 'listening');
    await expect(start(false)).rejects.toThrow(`port ${String(known.port)} of 127.0.0.1 is taken`);
    await start();
    expect(known.port).not.toBe((stranger.address() as AddressInfo).port);
    expect(await query('SELECT 1')).toBe(1);
    stranger.close();
  });
});
