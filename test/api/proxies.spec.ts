import type { AuditLog } from '@fleet/ports';
import { PlainAuditLog } from './audit-log.fake';
import { KeyedGateway } from './keyed-gateway';

const [proxy, inner, person, other] = ['10.1.0.7', '192.0.2.5', '198.51.100.20', '198.51.100.21'];

describe('behind proxies', () => {
  let keyed: KeyedGateway;
  let audit: AuditLog;
  const start = async (trustedProxies: readonly string[] = []): Promise<void> => {
    audit = new PlainAuditLog();
    const rates = { requestsPerMinute: 0, submissionsPerMinute: 0, refusalsPerMinute: 2 };
    keyed = await KeyedGateway.withKeys({}, { options: { rates }, trustedProxies, audit: () => audit });
    // From now on every request needs a key.
    await keyed.key('root', 'admin');
  };
  afterEach(async () => {
    await keyed.stop();
  });
  const asks = async (from: string, headers: Record<string, string> = {}): Promise<number> =>
    (await keyed.send('GET', '/v1/me', { from, headers })).status;
  const heardFrom = async (): Promise<readonly string[]> =>
    (await audit.list({}, 100)).entries.map((entry) => entry.from);

  it.each([
    [{ 'x-forwarded-for': person }],
    [{ 'x-real-ip': person, forwarded: `for=${person}`, 'x-client-ip': person, 'true-client-ip': person }],
    [{ 'x-forwarded-for': `${person}, ${proxy}` }],
  ])('ignores forwarding headers without a trusted proxy: %j', async (headers) => {
    await start();
    expect(await asks(proxy, headers)).toBe(401);
    expect(await heardFrom()).toEqual([proxy]);
  });

  it.each([
    ['the client that a trusted proxy names', proxy, person, person],
    ['what the first of several trusted proxies saw', proxy, `${person}, 10.1.3.4`, person],
    ['no address that a client wrote before its own', proxy, `127.0.0.1, ${other}, ${person}`, person],
    ['no trusted address that a client wrote before its own', proxy, `${proxy}, ${person}`, person],
    ['nobody who is not a proxy', inner, person, inner],
    ['a proxy on a connection of IPv6', `::ffff:${proxy}`, person, person],
    ['an address of IPv6', proxy, '2001:db8::7', '2001:db8::7'],
    ['not what is not an address', proxy, 'unknown', proxy],
    ['not what has a port', proxy, `${person}:4711`, proxy],
    ['not a page', proxy, '<script>alert(1)</script>', proxy],
    ['not an endless text', proxy, 'a'.repeat(8000), proxy],
    ['a proxy that names nobody', proxy, '', proxy],
  ])('uses %s', async (_, from, header, taken) => {
    await start(['10.1.0.0/16', '127.0.0.1']);
    await asks(from, { 'x-forwarded-for': header });
    expect(await heardFrom()).toEqual([taken]);
  });

  it('counts refusals of each client separately, not by the IP address that a client claims', async () => {
    await start([proxy]);
    const refusals = async (header: (index: number) => string): Promise<readonly number[]> => {
      const answers: number[] = [];
      for (let index = 0; index < 3; index += 1) answers.push(await asks(proxy, { 'x-forwarded-for': header(index) }));
      return answers;
    };
    expect(await refusals(() => person)).toEqual([401, 401, 429]);
    expect(await refusals((index) => `203.0.113.${String(index)}, ${other}`)).toEqual([401, 401, 429]);
  });

  it('ignores the host name that a proxy forwards', async () => {
    await start([proxy]);
    const headers = { host: 'evil.example', 'x-forwarded-host': 'fleet.example' };
    expect(await asks(proxy, headers)).toBe(421);
  });
});
