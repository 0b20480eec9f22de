// @needs openssl
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { ConfigModule, RedisConfig } from '@fleet/config';
import { startRedis, type RedisServer, useFolder } from '@fleet/testing';
import { NestFactory } from '@nestjs/core';
import { RedisProbe } from './redis.probe';
import { RedisModule } from './redis.module';

const folder = useFolder('file');
let redis: RedisServer;
const servers: Server[] = [];

const inFolder = (name: string): string => join(folder, name);

const certificate = (name: string, ...more: readonly string[]): void => {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', inFolder(`${name}.key`)];
  const rest = ['-out', inFolder(`${name}.pem`), '-days', '2', '-subj', `/CN=${name}`, ...more];
  execFileSync('openssl', ['req', '-x509', ...key, ...rest], { stdio: 'pipe' });
};

/** A server certificate for a host name. */
const signed = (name: string, host: string): void =>
  certificate(name, '-CA', inFolder('ca.pem'), '-CAkey', inFolder('ca.key'), '-addext', `subjectAltName=DNS:${host}`);

/** A TLS proxy in front of Redis: the test Redis was built without TLS. */
const behindTls = async (name: string): Promise<string> => {
  const identity = { key: readFileSync(inFolder(`${name}.key`)), cert: readFileSync(inFolder(`${name}.pem`)) };
  const server = createServer(identity, (client) => {
    const plain = connect(redis.port, '127.0.0.1');
    for (const socket of [client, plain]) socket.on('error', () => undefined);
    client.pipe(plain).pipe(client);
  });
  server.on('tlsClientError', () => undefined);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve);
  });
  return `rediss://localhost:${String((server.address() as AddressInfo).port)}`;
};

const start = async (REDIS_URL: string, REDIS_CA_FILE: string): Promise<unknown> => {
  const config = ConfigModule.forRoot([RedisConfig], { REDIS_URL, REDIS_CA_FILE });
  const app = await NestFactory.createApplicationContext(
    { ...RedisModule.forRoot(), imports: [config] },
    { logger: false, abortOnError: false },
  );
  const report = await app.get(RedisProbe).check();
  await app.close();
  return report;
};

beforeAll(async () => {
  redis = await startRedis();
  for (const authority of ['ca', 'other-ca']) certificate(authority);
  signed('right', 'localhost');
  signed('elsewhere', 'redis.example.org');
});
afterAll(async () => {
  for (const server of servers) server.close();
  await redis.stop();
});

describe('a Redis behind TLS', () => {
  it('is accepted if an authority in REDIS_CA_FILE signed a certificate for its name', async () => {
    await expect(start(await behindTls('right'), inFolder('ca.pem'))).resolves.toMatchObject({ healthy: true });
  });

  it.each([
    ['is signed by another authority', 'right', 'other-ca.pem', /cannot be reached: .*certificate/],
    [
      'is signed by nobody whom Node.js trusts, where no file is named',
      'right',
      '',
      /cannot be reached: .*certificate/,
    ],
    ['is for another name', 'elsewhere', 'ca.pem', /cannot be reached: .*localhost.*redis\.example\.org/],
  ])('prevents a start, with the cause, if its certificate %s', async (_, name, file, message) => {
    const trusted = file === '' ? '' : inFolder(file);
    await expect(start(await behindTls(name), trusted)).rejects.toThrow(message);
  });
});
