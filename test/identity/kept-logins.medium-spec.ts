import { connectRedis } from '@fleet/redis';
import { freePort } from '@fleet/testing';
import { RealGateway } from '../api/real-gateway';
import { Browser } from './browser';
import { audience, LocalProvider } from './provider-harness';

describe('the login of a browser, in the store', () => {
  let provider: LocalProvider;
  let gateway: RealGateway;
  const browser = new Browser();
  beforeAll(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${String(port)}`;
    provider = await LocalProvider.start({ redirects: [`${url}/v1/login/callback`] });
    await provider.state({ person: 'ada', claims: { ada: { preferred_username: 'ada' } } });
    gateway = await RealGateway.start({
      port,
      env: {
        FLEET_OIDC_ISSUER: provider.issuer,
        FLEET_OIDC_AUDIENCE: audience,
        FLEET_OIDC_CLIENT_ID: 'gateway',
        FLEET_OIDC_CLIENT_SECRET: 'gateway-secret',
        FLEET_PUBLIC_URL: url,
      },
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await provider.stop();
  });

  const me = async (): Promise<number> => (await browser.ask(`${gateway.url}/v1/me`)).status;

  it('outlives the gateway that made it, and shows the store neither its cookie nor a token', async () => {
    const { answer } = await browser.go(`${gateway.url}/v1/login?return_to=/v1/me`);
    expect(await answer.json()).toMatchObject({ id: 'ada' });
    await gateway.restart();
    expect(await me()).toBe(200);
    const redis = connectRedis({ url: gateway.servers.redis.url });
    const names = await redis.keys('fleet:login:*');
    const values = await Promise.all(names.map((name) => redis.get(name)));
    const lives = await Promise.all(names.map((name) => redis.pttl(name)));
    const shown = [...names, ...values].join(' ');
    expect(names.filter((name) => name.includes(':login:login:'))).toHaveLength(1);
    expect(lives.every((ms) => ms > 0)).toBe(true);
    for (const secret of ['"ada"', 'eyJhbGciOi', ...browser.cookies.map(({ value }) => value)])
      expect(shown.includes(secret)).toBe(false);
    redis.disconnect();
  });

  it('is lost with the store, and somebody logs in again', async () => {
    const redis = connectRedis({ url: gateway.servers.redis.url });
    await redis.flushall();
    redis.disconnect();
    expect(await me()).toBe(401);
    await browser.go(`${gateway.url}/v1/login?return_to=/v1/me`);
    expect(await me()).toBe(200);
  });
});
