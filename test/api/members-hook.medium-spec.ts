import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MeView, NewApiKey, ProblemDetails } from '@fleet/contracts';
import { Redis } from 'ioredis';
import { RealGateway } from './real-gateway';

describe('a gateway that asks the user office', () => {
  let office: Server;
  let gateway: RealGateway;
  let says: Readonly<Record<string, readonly string[]>> | undefined;
  let asked: (string | null)[];
  beforeAll(async () => {
    office = createServer(({ url = '' }, response) => {
      const owner = new URL(url, 'http://office').searchParams.get('owner');
      asked.push(owner);
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
  const me = (key: string): Promise<Response> =>
    fetch(`${gateway.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  const proposals = async (key: string): Promise<unknown> => ((await (await me(key)).json()) as MeView).proposals;

  it('knows the members after a restart while the office is away, nobody after Redis was emptied, and administrators always', async () => {
    asked = [];
    says = { ada: ['mx1', 'mx2'] };
    const root = await made('', 'root', 'admin');
    const [ada, eve] = [await made(root, 'ada', 'user'), await made(root, 'eve', 'user')];
    expect(await proposals(ada)).toEqual(['mx1', 'mx2']);
    says = undefined;
    await gateway.restart();
    expect(await proposals(ada)).toEqual(['mx1', 'mx2']);
    const refused = await me(eve);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(((await refused.json()) as ProblemDetails).code).toBe('access.members_unavailable');
    expect((await me(root)).status).toBe(200);

    const redis = new Redis(gateway.redis.url);
    await redis.flushall();
    redis.disconnect();
    await gateway.restart();
    expect((await me(ada)).status).toBe(503);
    expect((await me(root)).status).toBe(200);
    expect(asked).not.toContain('root');
    says = { ada: ['mx2'] };
    await gateway.restart();
    expect(await proposals(ada)).toEqual(['mx2']);
  });
});
