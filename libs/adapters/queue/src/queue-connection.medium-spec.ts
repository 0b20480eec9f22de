import { loadConfig, RedisConfig } from '@fleet/config';
import { startRedis, type RedisServer } from '@fleet/testing';
import { Redis } from 'ioredis';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { QueueConnection, workerConnection } from './queue-connection';

/**
 * A proxy to Redis whose connections can fall silent, as when a computer vanishes: nothing is closed, nothing arrives.
 */
class Way {
  private readonly sockets: Socket[] = [];

  private constructor(
    readonly server: Server,
    readonly port: number,
  ) {}

  static async to(port: number): Promise<Way> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const way = new Way(server, typeof address === 'object' ? (address?.port ?? 0) : 0);
    server.on('connection', (client) => way.join(client, connect(port, '127.0.0.1')));
    return way;
  }

  fallSilent(): void {
    for (const socket of this.sockets) socket.unpipe().resume();
  }

  end(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private join(client: Socket, redis: Socket): void {
    this.sockets.push(client, redis);
    for (const socket of [client, redis]) socket.on('error', () => undefined);
    client.pipe(redis).pipe(client);
  }
}

let redis: RedisServer;
let way: Way;
beforeAll(async () => {
  redis = await startRedis();
  way = await Way.to(Number(new URL(redis.url).port));
});
afterAll(async () => {
  way.end();
  await redis.stop();
});

it('replaces a connection without a response, for producers and for workers', async () => {
  const config = loadConfig(RedisConfig, { REDIS_URL: `redis://127.0.0.1:${String(way.port)}` });
  const adding = new QueueConnection(config);
  const taking = new Redis(workerConnection(config));
  const made = [adding.redis, taking];
  expect(made.map(({ options }) => options.socketTimeout)).toEqual([15_000, 15_000]);
  // The same options, with a shorter timeout.
  const connections = made.map((connection) => connection.duplicate({ socketTimeout: 500 }));
  for (const connection of [...made, ...connections]) connection.on('error', () => undefined);
  await Promise.all(
    connections.map((connection) => new Promise<void>((resolve) => void connection.once('ready', resolve))),
  );
  way.fallSilent();
  await expect(Promise.all(connections.map((connection) => connection.ping()))).resolves.toEqual(['PONG', 'PONG']);
  for (const connection of [...made, ...connections]) connection.disconnect();
});
