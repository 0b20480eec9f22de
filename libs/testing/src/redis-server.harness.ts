import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Redis } from 'ioredis';

/** A Redis of a test's own: durable, on a free port of the loopback interface, in a temporary folder. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** SIGKILL, as if it had crashed; its folder stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder; resolves when it answers. */
  restart(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** @param settings command line settings, for example `['--appendonly', 'no']`, after the durable ones and so stronger */
export const startRedis = async (settings: readonly string[] = []): Promise<RedisServer> => {
  const program = findRedisServer();
  const folder = mkdtempSync(join(tmpdir(), 'fleet-redis-'));
  const port = await freePort();
  let server = await launch(program, port, folder, settings);
  const kill = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${String(port)}`,
    port,
    kill,
    restart: async () => {
      await kill();
      server = await launch(program, port, folder, settings);
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/**
 * FLEET_TEST_REDIS_SERVER, a server on PATH, or the one that `npm run demo` and `npm test` keep in their cache.
 * @throws Error that names the places
 */
export const findRedisServer = (): string => {
  const named = process.env.FLEET_TEST_REDIS_SERVER;
  if (named !== undefined && named !== '') return named;
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => [join(folder, 'valkey-server'), join(folder, 'redis-server')]);
  const found = [...onPath, join(cache, 'phenix-fleet', 'open-phenix', 'valkey-server')].find(isExecutable);
  if (found === undefined)
    throw new Error(
      'no Redis for this test: set FLEET_TEST_REDIS_SERVER, or put valkey-server or redis-server on PATH',
    );
  return found;
};

const isExecutable = (path: string): boolean => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.isFile() && (stats.mode & 0o111) !== 0;
};

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });

const launch = async (
  program: string,
  port: number,
  folder: string,
  settings: readonly string[],
): Promise<ChildProcess> => {
  const durable = [
    '--appendonly',
    'yes',
    '--appendfsync',
    'everysec',
    '--maxmemory-policy',
    'noeviction',
    '--save',
    '',
  ];
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--daemonize', 'no'];
  const server = spawn(program, [...place, ...durable, ...settings], { stdio: 'ignore' });
  const failed = new Promise<never>((_, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => {
      reject(new Error(`${program} ended at once with code ${String(code)}`));
    });
  });
  failed.catch(() => undefined);
  await Promise.race([answersAt(port), failed]);
  return server;
};

export const answersAt = async (port: number): Promise<void> => {
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  try {
    await redis.ping();
  } finally {
    redis.disconnect();
  }
};
