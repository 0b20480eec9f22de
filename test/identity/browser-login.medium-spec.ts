import { claimMappingSchema, type ClaimMapping } from '@fleet/contracts/access';
import { withDefaults } from '@fleet/contracts/schema';
import type { ProblemDetails } from '@fleet/contracts/sessions';
import { MemoryLoginStore } from '@fleet/redis';
import { aNewSession, anEvent, anId, aRequest, freePort, ManualClock } from '@fleet/testing';
import { IdentityProvider } from '../../apps/gateway/src/auth/identity/identity-provider';
import { ProviderTokens } from '../../apps/gateway/src/auth/identity/token-reader';
import { KeptBrowserLogins } from '../../apps/gateway/src/auth/login/kept-browser-logins';
import { LoginClient } from '../../apps/gateway/src/auth/login/login-client';
import { PlainAuditLog } from '../api/audit-log.fake';
import { GatewayHarness } from '../api/gateway-harness';
import { Browser } from './browser';
import { audience, LocalProvider } from './provider-harness';

const minute = 60_000;
const claims = withDefaults(claimMappingSchema, { roles: { staff: ['fleet-staff'] } }) as ClaimMapping;

describe('the login of a browser', () => {
  let provider: LocalProvider;
  let gateway: GatewayHarness;
  let store: MemoryLoginStore;
  let audit: PlainAuditLog;
  let clock: ManualClock;
  let browser: Browser;
  let url: string;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    url = `http://127.0.0.1:${String(port)}`;
    provider = await LocalProvider.start({ redirects: [`${url}/v1/login/callback`], afterLogout: [`${url}/ui/`] });
  });
  afterAll(async () => {
    await provider.stop();
  });

  /** Each gateway has its own view of the provider; the store is shared. */
  const aGateway = (): Promise<GatewayHarness> => {
    const { issuer } = provider;
    const source = new IdentityProvider(issuer, clock);
    const algorithms = ['RS256'] as const;
    const settings = {
      issuer,
      algorithms,
      claims,
      providerName: 'the facility',
      clientId: 'gateway',
      clientSecret: 'gateway-secret',
      scopes: 'openid profile',
      publicUrl: url,
      idleMs: 30 * minute,
      longestMs: 12 * 60 * minute,
    };
    return GatewayHarness.start({
      tokens: new ProviderTokens({ issuer, audience, algorithms, claims, scopes: 'openid' }, source, clock),
      logins: new KeptBrowserLogins(settings, new LoginClient(settings, source), store, clock),
      audit: () => audit,
    });
  };
  beforeEach(async () => {
    clock = new ManualClock(Math.floor(Date.now() / 1000) * 1000);
    store = new MemoryLoginStore(() => clock.now());
    audit = new PlainAuditLog();
    gateway = await aGateway();
    await gateway.listen(port);
    browser = new Browser();
    await provider.state({ person: 'ada', claims: { ada: { preferred_username: 'ada', proposals: ['mx1'] } } });
  });
  afterEach(async () => {
    await gateway.stop();
  });

  const logIn = (path = '/v1/login'): ReturnType<Browser['go']> => browser.go(`${url}${path}`);
  /** Where the provider sends the browser back, before it goes there. */
  const wayBack = async (): Promise<string> => (await browser.go(`${url}/v1/login`, `${url}/v1/login/callback`)).next;
  const statusAndCode = async (answer: Response): Promise<readonly unknown[]> => {
    if (answer.ok) return [answer.status];
    return [answer.status, ((await answer.json()) as ProblemDetails).code];
  };
  const me = (): Promise<Response> => browser.ask(`${url}/v1/me`);
  const own = (): Record<string, string> => ({ 'x-fleet-request': '1', origin: url });
  const logOut = (): Promise<Response> => browser.ask(`${url}/v1/logout`, { method: 'POST', headers: own() });
  const ended = [401, 'access.login_ended'];

  it('is offered to everybody, by name', async () => {
    expect(await (await browser.ask(`${url}/v1/identity`)).json()).toEqual({
      provider: { issuer: provider.issuer, browser: { loginUrl: `${url}/v1/login`, name: 'the facility' } },
    });
  });

  it('goes to the provider and back to where somebody wanted to be, as whom the provider says', async () => {
    const { answer } = await logIn('/v1/login?return_to=/v1/me');
    expect([answer.url, await answer.json()]).toEqual([
      `${url}/v1/me`,
      expect.objectContaining({ id: 'ada', role: 'user', proposals: ['mx1'] }),
    ]);
    const cookies = browser.cookies.filter(({ origin }) => origin === url);
    expect(cookies.map(({ name, about }) => [name, about])).toEqual([
      ['fleet-attempt', 'Path=/; HttpOnly; SameSite=Lax; Max-Age=600'],
      ['fleet-login', 'Path=/; HttpOnly; SameSite=Lax'],
    ]);
  });

  it('opens what is of somebody’s proposals and nothing else, event streams too', async () => {
    await logIn();
    const ids = await Promise.all(
      ['mx1', 'mx2'].map(async (proposal) => {
        const id = anId();
        const made = aNewSession({ id, folder: gateway.work, request: aRequest({ proposal }) });
        await gateway.store.records.create(made, [anEvent()], 1000);
        return id;
      }),
    );
    const answers = await Promise.all(ids.map((id) => browser.ask(`${url}/v1/sessions/${id}`)));
    expect(await Promise.all(answers.map(statusAndCode))).toEqual([[200], [404, 'session.not_found']]);
    const left = new AbortController();
    const headers = { accept: 'text/event-stream' };
    const stream = await browser.ask(`${url}/v1/events`, { headers, signal: left.signal });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    left.abort();
    expect(await statusAndCode(await new Browser().ask(`${url}/v1/events`, { headers }))).toEqual([
      401,
      'access.no_credentials',
    ]);
  });

  it('changes nothing without the mark of an own page, nor for a page of another origin', async () => {
    await logIn();
    const submit = (headers: Record<string, string>): Promise<Response> =>
      browser.ask(`${url}/v1/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ files: [gateway.file('a.sca')], proposal: 'mx1' }),
      });
    const { 'x-fleet-request': mark = '' } = own();
    expect(await statusAndCode(await submit({ origin: url }))).toEqual([403, 'request.unmarked']);
    expect(await statusAndCode(await submit({ 'x-fleet-request': mark }))).toEqual([403, 'request.foreign_page']);
    for (const origin of ['https://evil.example', 'null', `${url}0`, url.replace('127.0.0.1', 'localhost')])
      expect(await statusAndCode(await submit({ 'x-fleet-request': mark, origin }))).toEqual([
        403,
        'request.foreign_page',
      ]);
    expect((await submit(own())).status).toBe(201);
    expect(await statusAndCode(await browser.ask(`${url}/v1/logout`, { method: 'POST' }))).toEqual([
      403,
      'request.foreign_page',
    ]);
    expect((await me()).status).toBe(200);
  });

  it('counts for nothing beside a header that says who asks', async () => {
    await logIn();
    const headers = { authorization: 'Bearer nothing' };
    expect(await statusAndCode(await browser.ask(`${url}/v1/me`, { headers }))).toEqual([
      401,
      'access.bad_credentials',
    ]);
  });

  it('takes each answer of the provider once, from the browser that asked, and with its state', async () => {
    const back = await wayBack();
    expect(await statusAndCode(await new Browser().ask(back))).toEqual([400, 'login.not_begun']);
    const forged = new URL(back);
    forged.searchParams.set('state', 'x');
    expect(await statusAndCode(await browser.ask(forged.href))).toEqual([400, 'login.not_begun']);
    expect((await browser.ask(back)).status).toBe(302);
    expect((await me()).status).toBe(200);
    expect(await statusAndCode(await browser.ask(back))).toEqual([400, 'login.not_begun']);
    // The code of another login, and one with which nothing came back.
    const replayed = new URL(await wayBack());
    replayed.searchParams.set('code', new URL(back).searchParams.get('code') ?? '');
    expect(await statusAndCode(await browser.ask(replayed.href))).toEqual([403, 'login.refused']);
    const denied = new URL(await wayBack());
    denied.searchParams.delete('code');
    denied.searchParams.set('error', 'access_denied');
    expect(await statusAndCode(await browser.ask(denied.href))).toEqual([403, 'login.refused']);
    const late = await wayBack();
    clock.forward(11 * minute);
    expect(await statusAndCode(await browser.ask(late))).toEqual([400, 'login.not_begun']);
  });

  it('does not take an answer that was made for another question', async () => {
    const question = (await browser.ask(`${url}/v1/login`)).headers.get('location') ?? '';
    const other = new URL(question);
    other.searchParams.set('nonce', 'x');
    const { next } = await browser.go(other.href, `${url}/v1/login/callback`);
    expect(await statusAndCode(await browser.ask(next))).toEqual([403, 'login.refused']);
    expect((await me()).status).toBe(401);
  });

  it('may be begun in two tabs', async () => {
    const [one, other] = [await wayBack(), await wayBack()];
    expect([(await browser.ask(one)).status, (await browser.ask(other)).status]).toEqual([302, 302]);
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/%0d%0ax'])(
    'sends nobody to another address afterwards: %s',
    async (to) => {
      const { answer } = await logIn(`/v1/login?return_to=${to.startsWith('/%') ? to : encodeURIComponent(to)}`);
      expect(await statusAndCode(answer)).toEqual([400, 'request.invalid']);
    },
  );

  it('is refused to whom the provider does not name, in a page where a person reads it', async () => {
    await provider.state({ claims: { ada: {} } });
    const { answer } = await logIn();
    expect(await statusAndCode(answer)).toEqual([403, 'login.refused']);
    const shown = await browser.ask(await wayBack(), { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([shown.status, shown.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(await shown.text()).toContain('The provider does not identify a user.');
  });

  it('ends with the logout, here and at the provider, and both are in the audit log', async () => {
    await logIn();
    const before = browser.cookies;
    const { provider: address = '' } = (await (await logOut()).json()) as { provider?: string };
    const at = new URL(address);
    expect([`${at.origin}${at.pathname}`, at.searchParams.get('post_logout_redirect_uri')]).toEqual([
      `${provider.issuer}/session/end`,
      `${url}/ui/`,
    ]);
    expect(browser.cookies.some(({ name }) => name === 'fleet-login')).toBe(false);
    browser.cookies = before;
    expect(await statusAndCode(await me())).toEqual(ended);
    expect(await (await logOut()).json()).toEqual({});
    const { entries } = await audit.list({}, 10);
    expect(entries.filter(({ action }) => action !== 'service.about')).toMatchObject([
      { who: 'ada', action: 'logout', endpoint: 'POST /v1/logout', outcome: 'done' },
      { who: 'ada', action: 'login', endpoint: 'GET /v1/login/callback', outcome: 'done' },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/code=|state=/);
  });

  it('continues at another gateway, and the provider is asked about it by one of them', async () => {
    await logIn();
    await provider.state({ claims: { ada: { preferred_username: 'ada', groups: ['fleet-staff'] } } });
    expect(await (await me()).json()).toMatchObject({ role: 'user' });
    const other = await aGateway();
    const elsewhere = await other.listen();
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    clock.forward(6 * minute);
    const answers = await Promise.all(
      [url, elsewhere, url, elsewhere, url].map((at) => fetch(`${at}/v1/me`, { headers: { cookie } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    // Two questions with one refresh token would have ended the login.
    for (const at of [url, elsewhere])
      expect(await (await fetch(`${at}/v1/me`, { headers: { cookie } })).json()).toMatchObject({
        role: 'staff',
        proposals: [],
      });
    await other.stop();
  });

  it('outlives the absence of the provider for an hour, and ends when the provider has ended it', async () => {
    await logIn();
    await provider.stop();
    for (let minutes = 0; minutes < 54; minutes += 6) {
      clock.forward(6 * minute);
      expect((await me()).status).toBe(200);
    }
    clock.forward(8 * minute);
    expect(await statusAndCode(await me())).toEqual([503, 'access.provider_unavailable']);
    // It has forgotten everybody.
    await provider.comeBack();
    clock.forward(minute);
    expect(await statusAndCode(await me())).toEqual(ended);
    expect(await statusAndCode(await me())).toEqual(ended);
  });

  it('cannot be begun while the provider is away', async () => {
    await provider.stop();
    const { answer } = await logIn();
    expect(await statusAndCode(answer)).toEqual([503, 'access.provider_unavailable']);
    await provider.comeBack();
  });

  it('ends when nobody uses it, and after half a day of work', async () => {
    await logIn();
    clock.forward(29 * minute);
    expect((await me()).status).toBe(200);
    clock.forward(31 * minute);
    expect(await statusAndCode(await me())).toEqual(ended);
    await logIn();
    for (let minutes = 20; minutes < 12 * 60; minutes += 20) {
      clock.forward(20 * minute);
      expect((await me()).status).toBe(200);
    }
    clock.forward(20 * minute);
    expect(await statusAndCode(await me())).toEqual(ended);
  });

  it('opens nothing with what is not a login', async () => {
    for (const value of ['x', 'A'.repeat(43), '../etc', '']) {
      const answer = await fetch(`${url}/v1/me`, { headers: { cookie: `fleet-login=${value}` } });
      expect(answer.status).toBe(401);
    }
  });
});
