import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { MeView, NewApiKey } from '@fleet/contracts/access';
import type { ProblemDetails, SessionPage } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { Redis } from 'ioredis';
import { RealGateway } from './real-gateway';

const me = async (url: string): Promise<MeView> => (await (await fetch(`${url}/v1/me`)).json()) as MeView;

const redisEmptied = async (gateway: RealGateway): Promise<void> => {
  const redis = new Redis(gateway.servers.redis.url);
  await redis.flushall();
  redis.disconnect();
};

describe('keys of a gateway over a database and a work root', () => {
  const gateway = useStarted('file', () => RealGateway.start());
  const made = async (apiKey: string | undefined, ...args: readonly string[]): Promise<NewApiKey> => {
    const ran = await gateway.phx(['--json', 'admin', 'keys', 'create', ...args], {
      ...(apiKey !== undefined && { apiKey }),
    });
    return JSON.parse(ran.out) as NewApiKey;
  };

  it('survive an emptied database and a restart, stay revoked once revoked, and still allow the recovery', async () => {
    expect(await me(gateway.url)).toMatchObject({ id: '', openAccess: 'this-machine' });
    const { key: root } = await made(undefined, '--owner', 'root', '--role', 'admin');
    const ada = await made(root, '--owner', 'ada', '--role', 'user', '--proposal', 'mx1');
    const bob = await made(root, '--owner', 'bob', '--role', 'user', '--proposal', 'mx1');
    await gateway.phx(['admin', 'keys', 'revoke', bob.record.id], { apiKey: root });
    const submitted = await gateway.phx(['submit', gateway.reflections, '--proposal', 'mx1'], { apiKey: ada.key });
    expect(submitted.code).toBe(0);
    expect(readdirSync(join(gateway.root, 'work')).toSorted()).toContain('.phenix-fleet-access');

    await gateway.servers.emptyDatabase();
    await gateway.restart();
    expect((await gateway.phx(['list'])).err).toContain('access.no_credentials');
    expect((await gateway.phx(['list'], { apiKey: bob.key })).err).toContain('was revoked on');
    expect((await gateway.phx(['recover'], { apiKey: ada.key })).err).toContain('access.denied');
    expect((await gateway.phx(['recover'], { apiKey: root })).code).toBe(0);
    const listed = await gateway.phx(['--json', 'list'], { apiKey: ada.key });
    expect((JSON.parse(listed.out) as SessionPage).sessions).toHaveLength(1);
  });
});

describe('a gateway with a user office', () => {
  let office: Server;
  let gateway: RealGateway;
  let says: Readonly<Record<string, readonly string[]>> | undefined;
  let queriedOwners: (string | null)[];
  beforeAll(async () => {
    office = createServer(({ url = '' }, response) => {
      const owner = new URL(url, 'http://office').searchParams.get('owner');
      queriedOwners.push(owner);
      if (says === undefined) response.writeHead(503).end();
      else response.writeHead(200).end(JSON.stringify({ proposals: says[owner ?? ''] ?? [] }));
    });
    await new Promise<void>((resolve) => office.listen(0, '127.0.0.1', resolve));
    const { port } = office.address() as AddressInfo;
    gateway = await RealGateway.start({
      env: {
        FLEET_PROPOSAL_MEMBERS_URL: `http://127.0.0.1:${String(port)}/members`,
        FLEET_PROPOSAL_MEMBERS_FRESH_S: '1',
      },
    });
  });
  afterAll(async () => {
    await gateway.stop();
    office.closeAllConnections();
    office.close();
  });

  const made = async (by: string, owner: string, role: string): Promise<string> => {
    const answer = await fetch(`${gateway.url}/v1/admin/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(by !== '' && { authorization: `Bearer ${by}` }) },
      body: JSON.stringify({ owner, role }),
    });
    return ((await answer.json()) as NewApiKey).key;
  };
  const meOf = (key: string): Promise<Response> =>
    fetch(`${gateway.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  const proposals = async (key: string): Promise<unknown> => ((await (await meOf(key)).json()) as MeView).proposals;

  it('caches members across a restart while the office is unavailable, denies them after Redis is emptied, and always accepts administrators', async () => {
    queriedOwners = [];
    says = { ada: ['mx1', 'mx2'] };
    const root = await made('', 'root', 'admin');
    const [ada, eve] = [await made(root, 'ada', 'user'), await made(root, 'eve', 'user')];
    expect(await proposals(ada)).toEqual(['mx1', 'mx2']);
    says = undefined;
    await gateway.restart();
    expect(await proposals(ada)).toEqual(['mx1', 'mx2']);
    const refused = await meOf(eve);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(((await refused.json()) as ProblemDetails).code).toBe('access.members_unavailable');
    expect((await meOf(root)).status).toBe(200);

    await redisEmptied(gateway);
    await gateway.restart();
    expect((await meOf(ada)).status).toBe(503);
    expect((await meOf(root)).status).toBe(200);
    expect(queriedOwners).not.toContain('root');
    says = { ada: ['mx2'] };
    await gateway.restart();
    expect(await proposals(ada)).toEqual(['mx2']);
  });
});

describe('two gateways of one facility that listen on all interfaces', () => {
  let one: RealGateway;
  let other: Awaited<ReturnType<RealGateway['another']>>;
  beforeAll(async () => {
    one = await RealGateway.start({
      env: {
        FLEET_MAX_REQUESTS_PER_MINUTE: '20',
        FLEET_MAX_REFUSALS_PER_MINUTE: '20',
        FLEET_GATEWAY_HOST: '0.0.0.0',
        FLEET_OPEN_ACCESS: 'anywhere',
      },
    });
    other = await one.another();
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
  });

  /** Twenty at each, all at once; more than twenty come through only for the time that passes meanwhile: one in three seconds. */
  const both = async (headers: Record<string, string>): Promise<readonly number[]> => {
    const urls = [one.url, other.url].flatMap((url) => Array<string>(20).fill(`${url}/v1/me`));
    return Promise.all(urls.map(async (url) => (await fetch(url, { headers })).status));
  };
  const refusedIn = (statuses: readonly number[]): number => statuses.filter((status) => status === 429).length;

  it('allow every request until the first key is created, and report open access', async () => {
    expect(await me(one.url)).toMatchObject({ id: '', openAccess: 'everybody' });
  });

  it('share the request limit of a caller and the limit of rejected credentials of an IP address', async () => {
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
      const began = performance.now();
      const statuses = await both(headers);
      const passedS = (performance.now() - began) / 1000;
      expect(statuses.filter((status) => status !== usually && status !== 429)).toEqual([]);
      // Each of them alone would let all forty through.
      expect(refusedIn(statuses)).toBeGreaterThanOrEqual(20 - passedS / 3 - 2);
    }
  });
});
