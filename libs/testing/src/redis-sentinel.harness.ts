import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { launchRedis, onSomePort, startRedis, type RedisServer } from './redis-server.harness';

/** A primary with a replica, watched by one Sentinel: enough for failovers, not for a quorum. */
export interface RedisBehindSentinel {
  /** In the form of REDIS_URL. */
  readonly url: string;
  /** In start order: the first primary, then its replica. */
  readonly servers: readonly [RedisServer, RedisServer];
  /** Promotes the replica while both are healthy. */
  failOver(): Promise<void>;
  /** Port of the current primary according to the Sentinel. */
  primaryPort(): Promise<number>;
  stop(): Promise<void>;
}

const name = 'fleet-primary';

const sentinelSettings = (port: number, primary: RedisServer, folder: string): string =>
  [
    `port ${String(port)}`,
    `dir ${folder}`,
    'bind 127.0.0.1',
    `sentinel monitor ${name} 127.0.0.1 ${String(primary.port)} 1`,
    `sentinel down-after-milliseconds ${name} 500`,
    `sentinel failover-timeout ${name} 2000`,
  ].join('\n');

/** Has the requirements of `startRedis`. */
export const startRedisBehindSentinel = async (): Promise<RedisBehindSentinel> => {
  const primary = await startRedis();
  const replica = await startRedis(['--replicaof', `127.0.0.1 ${String(primary.port)}`]);
  const folder = mkdtempSync(join(tmpdir(), 'fleet-sentinel-'));
  const { port, server: sentinel } = await onSomePort((port) => {
    const file = join(folder, 'sentinel.conf');
    writeFileSync(file, sentinelSettings(port, primary, folder));
    return launchRedis(port, [file, '--sentinel']);
  });
  const control = new Redis(port, '127.0.0.1');
  control.on('error', () => undefined);
  return {
    url: `redis+sentinel://127.0.0.1:${String(port)}/${name}`,
    servers: [primary, replica],
    failOver: async () => {
      await control.call('SENTINEL', 'FAILOVER', name);
    },
    primaryPort: async () => {
      const address = await control.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name);
      return Array.isArray(address) ? Number(address[1]) : 0;
    },
    stop: async () => {
      control.disconnect();
      const ended = new Promise((resolve) => sentinel.once('exit', resolve));
      if (sentinel.exitCode === null && sentinel.signalCode === null) {
        sentinel.kill('SIGKILL');
        await ended;
      }
      await Promise.all([primary.stop(), replica.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
