import type { NewApiKey } from '@fleet/contracts';
import { RealGateway } from './real-gateway';

describe('two gateways of one facility', () => {
  let one: RealGateway;
  let other: Awaited<ReturnType<RealGateway['another']>>;
  beforeAll(async () => {
    one = await RealGateway.start({
      env: { FLEET_MAX_REQUESTS_PER_MINUTE: '40', FLEET_MAX_REFUSALS_PER_MINUTE: '40' },
    });
    other = await one.another();
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
  });

  /** Forty at each, all at once; more than forty come through only for the time that passes meanwhile. */
  const both = async (headers: Record<string, string>): Promise<readonly number[]> => {
    const urls = [one.url, other.url].flatMap((url) => Array<string>(40).fill(`${url}/v1/me`));
    return Promise.all(urls.map(async (url) => (await fetch(url, { headers })).status));
  };
  const refusedIn = (statuses: readonly number[]): number => statuses.filter((status) => status === 429).length;

  it('let somebody through as often as one, and tell an address as often as one that it has no key', async () => {
    const made = await fetch(`${one.url}/v1/admin/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ owner: 'root', role: 'admin' }),
    });
    const { key } = (await made.json()) as NewApiKey;
    for (const [headers, usually] of [
      [{ authorization: `Bearer ${key}` }, 200],
      [{ authorization: 'Bearer phx_nothing' }, 401],
    ] as const) {
      const statuses = await both(headers);
      expect(new Set(statuses)).toEqual(new Set([usually, 429]));
      // Each of them alone would let all eighty through.
      expect(refusedIn(statuses)).toBeGreaterThan(20);
    }
  });
});
