import type { ProblemDetails } from '@fleet/contracts/sessions';
import { readWebhookTargets, type NewWebhook, type WebhooksView } from '@fleet/contracts/webhooks';
import { useStarted } from '@fleet/testing';
import { mailPatience } from '@fleet/webhook-post';
import { at, KeyedGateway } from './keyed-gateway';
import type { HarnessOptions, JsonAnswer } from './gateway-harness';

const targets = readWebhookTargets('hooks.example.org') ?? [];
const url = 'https://hooks.example.org/fleet?token=1';
const codeOf = ({ status, json }: JsonAnswer): readonly [number, string] => [status, (json() as ProblemDetails).code];

describe('webhooks of the API', () => {
  const keyed = useStarted('test', () => KeyedGateway.withKeys({}, { webhooks: { targets } }));
  let ada: Record<string, string>;
  let bob: Record<string, string>;
  beforeEach(async () => {
    ada = await keyed.key('ada', 'user', { proposals: ['mx1'] });
    bob = await keyed.key('bob', 'user', { proposals: ['mx2'] });
  });
  const add = (body: object, headers = ada): Promise<JsonAnswer> =>
    keyed.send('POST', '/v1/webhooks', { body: { url, ...body }, headers });
  const made = async (body: object, headers = ada): Promise<NewWebhook> =>
    (await add(body, headers)).json() as NewWebhook;
  const listed = async (headers: Record<string, string>): Promise<readonly string[]> =>
    ((await keyed.get('/v1/webhooks', headers)).json() as WebhooksView).webhooks.map(({ id }) => id);

  it('show their secret once, and list their events', async () => {
    const session = await keyed.session('mx1', 'i04', 'crystal 7');
    const answer = await add({ session: 'crystal 7', label: ' chat ' });
    expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store']);
    const { secret, webhook } = answer.json() as NewWebhook;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect(webhook).toMatchObject({
      url,
      about: { what: 'session', name: session },
      kinds: ['session.ended', 'session.recovered', 'session.files_expire'],
      label: 'chat',
      owner: 'ada',
      proposal: 'mx1',
      beamline: 'i04',
    });
    const list = (await keyed.get('/v1/webhooks', ada)).text;
    expect(list).not.toContain('whsec');
    expect(list).not.toContain('secretKey');
  });

  it('of another proposal are not found, and receive none of its events', async () => {
    const { webhook } = await made({ proposal: 'mx1' });
    expect([await listed(ada), await listed(bob)]).toEqual([[webhook.id], []]);
    for (const what of ['removal', 'test', 'replay'])
      expect(codeOf(await keyed.send('POST', `/v1/webhooks/${webhook.id}/${what}`, { headers: bob }))).toEqual([
        404,
        'webhook.not_found',
      ]);
    expect(codeOf(await keyed.get(`/v1/webhooks/${webhook.id}/dead`, bob))).toEqual([404, 'webhook.not_found']);
    expect(codeOf(await add({ session: await keyed.session('mx1') }, bob))).toEqual([404, 'session.not_found']);
    expect(codeOf(await add({ batch: await keyed.batch('mx1') }, bob))).toEqual([404, 'batch.not_found']);
    expect(codeOf(await add({ proposal: 'mx1' }, bob))).toEqual([403, 'access.denied']);
    expect(await listed(await keyed.key('root', 'admin'))).toEqual([webhook.id]);
  });

  it('are visible to staff of the beamline of their session', async () => {
    const staff = await keyed.key('sam', 'staff', { beamlines: ['i04'] });
    const { webhook } = await made({ session: await keyed.session('mx1', 'i04') });
    await made({ proposal: 'mx1' });
    expect(await listed(staff)).toEqual([webhook.id]);
  });

  it('are forbidden for screens and read-only keys', async () => {
    const kiosk = await keyed.key('screen', 'kiosk', { proposals: ['mx1'] });
    const reader = await keyed.key('eve', 'user', { proposals: ['mx1'], scopes: ['read'], createdAt: at(-1) });
    expect(codeOf(await keyed.get('/v1/webhooks', kiosk))).toEqual([403, 'access.denied']);
    expect(codeOf(await add({ proposal: 'mx1' }, reader))).toEqual([403, 'access.denied']);
    expect((await keyed.get('/v1/webhooks', reader)).status).toBe(200);
  });

  it('are not found after their removal', async () => {
    const { webhook } = await made({ batch: await keyed.batch('mx1') });
    const removal = `/v1/webhooks/${webhook.id}/removal`;
    expect((await keyed.send('POST', removal, { headers: ada })).status).toBe(200);
    expect(await listed(ada)).toEqual([]);
    expect(codeOf(await keyed.send('POST', removal, { headers: ada }))).toEqual([404, 'webhook.not_found']);
  });

  it.each([
    [{ url: undefined }, ['body', 'url']],
    [{ proposal: 'mx1', batch: 'b' }, ['body']],
    [{ proposal: 'mx1', url: 'https://evil.example/' }, ['url']],
    [{ proposal: 'mx1', url: 'http://hooks.example.org/' }, ['url']],
    [{ proposal: 'mx1', url: 'https://user:pw@hooks.example.org/' }, ['url']],
    [{ proposal: 'mx1', url: 'file:///etc/passwd' }, ['url']],
    [{ proposal: 'mx1', url: 'https://hooks.example.org/a b' }, ['url']],
    [{ proposal: 'mx1', url: `https://hooks.example.org/${'x'.repeat(2000)}` }, ['url']],
    [{ session: 'x', kinds: ['batch.ended'] }, ['kinds']],
    [{ proposal: 'mx1', kinds: ['session.born'], secret: 'x' }, ['kinds[0]', 'secret']],
    [{ proposal: 'mx1', label: 'two\nlines' }, ['label']],
    [{ proposal: 7 }, ['body', 'proposal']],
  ])('are refused with all that is wrong: %j', async (body, fields) => {
    const answer = await add(body);
    const problemFields = ((answer.json() as ProblemDetails).problems ?? []).map(({ field }) => field);
    expect([answer.status, problemFields.toSorted()]).toEqual([400, fields]);
  });

  it('are limited to fifty in a proposal', async () => {
    for (let count = 0; count < 50; count += 1) expect((await add({ proposal: 'mx1' })).status).toBe(201);
    expect(codeOf(await add({ proposal: 'mx1' }))).toEqual([409, 'webhook.too_many']);
    expect((await add({ proposal: 'mx2' }, bob)).status).toBe(201);
  });
});

describe('webhooks by e-mail', () => {
  const mail = {
    server: { host: '127.0.0.1', port: 1, tls: 'none' },
    from: 'fleet@example.org',
    domains: [{ domain: 'example.org', below: false }],
    ...mailPatience,
  } as const;
  let keyed: KeyedGateway;
  let ada: Record<string, string>;
  afterEach(() => keyed.stop());
  const start = async (webhooks: Required<HarnessOptions>['webhooks']): Promise<void> => {
    keyed = await KeyedGateway.withKeys({}, { webhooks });
    ada = await keyed.key('ada', 'user', { proposals: ['mx1'] });
  };
  const add = (body: object): Promise<JsonAnswer> =>
    keyed.send('POST', '/v1/webhooks', { body: { proposal: 'mx1', ...body }, headers: ada });

  it('have no secret, and are collected unless they are for one session', async () => {
    await start({ mail });
    const ofProposal = await add({ url: 'mailto:ada@Example.org' });
    expect([ofProposal.status, ofProposal.json()]).toMatchObject([
      201,
      { secret: '', webhook: { url: 'mailto:ada@example.org', everyMinutes: 10 } },
    ]);
    const session = await keyed.session('mx1');
    const ofSession = await add({ url: 'mailto:ada@example.org', proposal: undefined, session });
    expect((ofSession.json() as NewWebhook).webhook).toMatchObject({ everyMinutes: 0 });
    const daily = await add({ url: 'mailto:ada@example.org', everyMinutes: 1440 });
    expect((daily.json() as NewWebhook).webhook).toMatchObject({ everyMinutes: 1440 });
  });

  it.each([
    [{ url: 'mailto:eve@evil.net' }, ['url']],
    [{ url: 'mailto:ada@example.org.evil.net' }, ['url']],
    [{ url: 'mailto:ada@example.org\r\nBcc: eve@evil.net' }, ['url']],
    [{ url: 'mailto:ada@example.org,eve@evil.net' }, ['url']],
    [{ url: 'mailto:ada@example.org?bcc=eve@evil.net' }, ['url']],
    [{ url: 'mailto:' }, ['url']],
    [{ url: 'MAILTO:ada@example.org' }, ['url']],
    [{ url: 'mailto:ada@example.org', everyMinutes: 1441 }, ['everyMinutes']],
    [{ url: 'mailto:ada@example.org', everyMinutes: 0.5 }, ['everyMinutes']],
    [{ url, everyMinutes: 5 }, ['everyMinutes']],
    [{}, ['url']],
  ])('are refused with all that is wrong: %j', async (body, fields) => {
    await start({ mail, targets });
    const answer = await add(body);
    const problemFields = ((answer.json() as ProblemDetails).problems ?? []).map(({ field }) => field);
    expect([answer.status, problemFields.toSorted()]).toEqual([400, fields]);
  });

  it('are off without a mail server, and HTTP webhooks are off without allowed targets', async () => {
    await start({ targets });
    expect(codeOf(await add({ url: 'mailto:ada@example.org' }))).toEqual([409, 'webhook.off']);
    await keyed.stop();
    await start({ mail });
    expect(codeOf(await add({ url }))).toEqual([409, 'webhook.off']);
    expect(codeOf(await add({}))).toEqual([400, 'request.invalid']);
  });

  it('report why a test was not delivered', async () => {
    await start({ mail });
    const { webhook } = (await add({ url: 'mailto:ada@example.org' })).json() as NewWebhook;
    const tried = await keyed.send('POST', `/v1/webhooks/${webhook.id}/test`, { headers: ada });
    expect(tried.json()).toMatchObject({ delivered: false, why: expect.stringContaining('ECONNREFUSED') as string });
  });
});

it('an installation that allows no target refuses webhooks, with the reason', async () => {
  const keyed = await KeyedGateway.withKeys();
  const headers = await keyed.key('ada', 'user', { proposals: ['mx1'] });
  const answer = await keyed.send('POST', '/v1/webhooks', { body: { url, proposal: 'mx1' }, headers });
  expect(codeOf(answer)).toEqual([409, 'webhook.off']);
  await keyed.stop();
});
