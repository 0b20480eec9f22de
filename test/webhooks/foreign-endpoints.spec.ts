import { readWebhookTargets } from '@fleet/contracts/webhooks';
import { isSent } from '@fleet/ports';
import {
  AllowedAddresses,
  resolveEndpoint,
  patience,
  sendMessage,
  type ResolvedEndpoint,
  type WebhookOptions,
} from '@fleet/webhook-post';
import { Target } from './target';

const options = (targets: string, changes: Partial<WebhookOptions> = {}): WebhookOptions => ({
  ...patience,
  targets: readWebhookTargets(targets) ?? [],
  addresses: new AllowedAddresses([]),
  linkBase: '',
  ...changes,
});
/** A name that stands for these addresses. */
const named = (...addresses: readonly string[]): Pick<WebhookOptions, 'resolve'> => ({
  resolve: () => Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
});
const message = {
  type: 'webhook.test',
  timestamp: '2026-11-22T08:00:00.000Z',
  data: { sentence: 'A test.', next: 'Nothing.' },
} as const;
const outgoing = { id: 'test-1', secret: Buffer.alloc(32), message };
const loopback = new AllowedAddresses(['127.0.0.0/8']);

describe('where webhooks may go', () => {
  it.each([
    ['http://localhost/', 'http://localhost'],
    ['http://127.0.0.1/', 'http://127.0.0.1'],
    ['http://2130706433/', 'http://127.0.0.1'],
    ['http://0x7f.1/', 'http://127.0.0.1'],
    ['http://017700000001/', 'http://127.0.0.1'],
    ['http://[::1]/', 'http://[::1]'],
    ['http://[::ffff:127.0.0.1]/', 'http://[::ffff:7f00:1]'],
    ['http://169.254.169.254/latest/meta-data/', 'http://169.254.169.254'],
  ])('%s is not a place, though the list names its host, unless its network is named too', async (url, targets) => {
    expect(await resolveEndpoint(url, options(targets))).toMatchObject({
      why: expect.stringContaining('FLEET_WEBHOOK_NETWORKS') as string,
    });
  });

  it.each([
    'https://hooks.example.org.evil.net/',
    'https://evil.net/',
    'http://hooks.example.org/',
    'https://2130706433/',
  ])('%s is none, for the list does not name it, and is not even looked up', async (url) => {
    const resolve = jest.fn();
    const endpoint = await resolveEndpoint(url, options('hooks.example.org', { resolve }));
    expect(endpoint).toMatchObject({ why: expect.stringContaining('FLEET_WEBHOOK_TARGETS') as string });
    expect(resolve).not.toHaveBeenCalled();
  });

  it('is none where one of several addresses of its name is private', async () => {
    const hooks = options('hooks.example.org', named('93.184.216.34', '10.0.0.5'));
    expect(await resolveEndpoint('https://hooks.example.org/', hooks)).toHaveProperty('why');
    const fine = options('hooks.example.org', named('93.184.216.34'));
    expect(await resolveEndpoint('https://hooks.example.org/', fine)).toMatchObject({ address: '93.184.216.34' });
  });

  it('is none where the name stands for nothing, or nobody says what for', async () => {
    const away = options('a.org', { resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await resolveEndpoint('https://a.org/', away)).toMatchObject({
      why: expect.stringContaining('ENOTFOUND') as string,
    });
    expect(await resolveEndpoint('https://a.org/', options('a.org', named()))).toHaveProperty('why');
    const silent = options('a.org', { resolve: () => new Promise(() => undefined), timeoutMs: 20 });
    expect(await resolveEndpoint('https://a.org/', silent)).toHaveProperty('why');
  });
});

describe('a message', () => {
  let target: Target;
  beforeEach(async () => {
    target = await Target.start();
  });
  afterEach(() => target.stop());
  const endpointOf = async (host: string): Promise<ResolvedEndpoint> => {
    const url = target.url.replace('127.0.0.1', host);
    const found = await resolveEndpoint(
      url,
      options(`http://${host}:*`, { ...named('127.0.0.1'), addresses: loopback }),
    );
    if ('why' in found) throw new Error(found.why);
    return found;
  };

  it('goes to the address that was judged, whatever its name stands for by then', async () => {
    // Nobody resolves this name: a second look-up would fail.
    const endpoint = await endpointOf('rebinding.invalid');
    expect(await sendMessage(endpoint, outgoing, patience)).toEqual({ status: 204 });
    expect(target.received[0]?.headers.host).toBe(endpoint.url.host);
  });

  it('follows no redirect', async () => {
    target.answer = (_, reply) => {
      reply.writeHead(307, { location: target.url }).end();
    };
    const sent = await sendMessage(await endpointOf('127.0.0.1'), outgoing, patience);
    expect(sent).toMatchObject({ status: 307, why: expect.stringContaining('redirect') as string });
    expect(target.received).toHaveLength(1);
  });

  it('does not read what a target has to say, however much it is', async () => {
    target.answer = (_, reply) => {
      const more = (): void => {
        if (!reply.destroyed) reply.write('x'.repeat(65_536), more);
      };
      reply.writeHead(200);
      more();
    };
    expect(isSent(await sendMessage(await endpointOf('127.0.0.1'), outgoing, patience))).toBe(true);
  });

  it('fails where the headers of the answer are too many, it says nothing in time, or nobody is there', async () => {
    target.answer = (_, reply) => {
      reply.writeHead(200, { 'x-much': 'x'.repeat(40_000) }).end();
    };
    const endpoint = await endpointOf('127.0.0.1');
    expect(await sendMessage(endpoint, outgoing, patience)).toMatchObject({ isTarget: true });
    target.answer = () => undefined;
    expect(await sendMessage(endpoint, outgoing, { timeoutMs: 50 })).toMatchObject({
      why: expect.stringContaining('did not answer within') as string,
    });
    await target.stop();
    target = await Target.start();
    expect(await sendMessage(endpoint, outgoing, patience)).toMatchObject({ isTarget: true, isGone: false });
  });

  it.each([
    ['120', 120_000],
    [new Date(Date.now() - 10_000).toUTCString(), 0],
    ['soon', undefined],
  ])('sets the waiting time by Retry-After: %s', async (header, expected) => {
    target.answer = (_, reply) => {
      reply.writeHead(429, { 'retry-after': header }).end();
    };
    const sent = await sendMessage(await endpointOf('127.0.0.1'), outgoing, patience);
    expect(sent).toMatchObject({ isTarget: true, status: 429 });
    expect('retryAfterMs' in sent ? sent.retryAfterMs : undefined).toBe(expected);
  });
});
