import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort, isFreePort } from './free-port';

export { freePort };

/** A separate Redis for a test: durable, on a free loopback port, in a temporary folder. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** SIGKILL, as in a crash; its folder stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder; resolves when it responds. */
  restart(): Promise<void>;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

/** @param settings command line settings, for example `['--appendonly', 'no']`; they override the durable ones */
export const startRedis = async (settings: readonly string[] = []): Promise<RedisServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-redis-'));
  const launch = (port: number): Promise<ChildProcess> =>
    launchRedis(port, ['--port', String(port), '--dir', folder, ...durable, ...settings]);
  const started = await onSomePort(launch);
  const { port } = started;
  let { server } = started;
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
      server = await launch(port);
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** A Redis for the tests of a file, and a connection to it; it is empty before each test. */
export const useRedis = (): (() => Redis) => {
  let server: RedisServer;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url, { maxRetriesPerRequest: null });
  });
  afterEach(() => redis.flushall());
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  return () => redis;
};

/**
 * FLEET_TEST_REDIS_SERVER, a server on PATH, or the one in the cache of `npm run demo` and `npm test`.
 * @throws Error that lists these locations
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

const durable = ['--bind', '127.0.0.1', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction', '--save', ''];

/** Tries another port if the first is already used. */
export const onSomePort = async (
  launch: (port: number) => Promise<ChildProcess>,
): Promise<{ readonly port: number; readonly server: ChildProcess }> => {
  for (;;) {
    const port = await freePort();
    try {
      return { port, server: await launch(port) };
    } catch (error) {
      if (await isFreePort(port)) throw error;
    }
  }
};

/** Resolves when this server, and no other one, responds on its port. */
export const launchRedis = async (port: number, settings: readonly string[]): Promise<ChildProcess> => {
  const program = findRedisServer();
  const server = spawn(program, settings, { stdio: 'ignore' });
  const failed = new Promise<never>((_, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`${program} ended at once with code ${String(code)}`)));
  });
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  try {
    const facts = await Promise.race([redis.info('server'), failed]);
    return facts.includes(`process_id:${String(server.pid)}\r`) ? server : await failed;
  } finally {
    redis.disconnect();
  }
};
