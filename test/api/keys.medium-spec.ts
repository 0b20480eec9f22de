import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NewApiKey, SessionPage } from '@fleet/contracts';
import { Redis } from 'ioredis';
import { RealGateway } from './real-gateway';

describe('keys of a gateway over Redis and a work root', () => {
  let gateway: RealGateway;
  beforeAll(async () => {
    gateway = await RealGateway.start();
  });
  afterAll(async () => {
    await gateway.stop();
  });
  const made = async (apiKey: string | undefined, ...args: readonly string[]): Promise<NewApiKey> => {
    const ran = await gateway.phx(['--json', 'admin', 'keys', 'create', ...args], {
      ...(apiKey !== undefined && { apiKey }),
    });
    return JSON.parse(ran.out) as NewApiKey;
  };

  it('outlive an emptied Redis and a restart, revoked ones as revoked, and lock nobody out of the recovery', async () => {
    const { key: root } = await made(undefined, '--owner', 'root', '--role', 'admin');
    const ada = await made(root, '--owner', 'ada', '--role', 'user', '--proposal', 'mx1');
    const bob = await made(root, '--owner', 'bob', '--role', 'user', '--proposal', 'mx1');
    await gateway.phx(['admin', 'keys', 'revoke', bob.record.id], { apiKey: root });
    const submitted = await gateway.phx(['submit', gateway.reflections, '--proposal', 'mx1'], { apiKey: ada.key });
    expect(submitted.code).toBe(0);
    expect(readdirSync(join(gateway.root, 'work')).toSorted()).toContain('.phenix-fleet-access');

    const redis = new Redis(gateway.redis.url);
    await redis.flushall();
    redis.disconnect();
    await gateway.restart();
    expect((await gateway.phx(['list'])).err).toContain('access.no_credentials');
    expect((await gateway.phx(['list'], { apiKey: bob.key })).err).toContain('was revoked on');
    expect((await gateway.phx(['recover'], { apiKey: ada.key })).err).toContain('access.denied');
    expect((await gateway.phx(['recover'], { apiKey: root })).code).toBe(0);
    const listed = await gateway.phx(['--json', 'list'], { apiKey: ada.key });
    expect((JSON.parse(listed.out) as SessionPage).sessions).toHaveLength(1);
  });
});
