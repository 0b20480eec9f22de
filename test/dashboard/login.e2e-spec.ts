import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { connectStore, RedisStore } from '@fleet/session-store';
import { freePort } from '@fleet/testing';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { RealGateway } from '../api/real-gateway';
import { audience, LocalProvider } from '../identity/provider-harness';
import { ShownSessions } from './shown-sessions';

// @needs chromium

const waitMs = 30_000;

/** The browser of the system; a driver's own download is none. */
const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Pictures of every page, where a folder for them is named. */
const pictures = process.env.FLEET_TEST_PICTURES;

describe('the login of the facility, in a browser', () => {
  let provider: LocalProvider;
  let gateway: RealGateway;
  let redis: ReturnType<typeof connectStore>;
  let store: RedisStore;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${String(port)}`;
    provider = await LocalProvider.start({ redirects: [`${url}/v1/login/callback`], afterLogout: [`${url}/ui/`] });
    await provider.state({ person: 'ada', claims: { ada: { preferred_username: 'ada', proposals: ['mx1234'] } } });
    gateway = await RealGateway.start({
      port,
      env: {
        FLEET_OIDC_ISSUER: provider.issuer,
        FLEET_OIDC_AUDIENCE: audience,
        FLEET_OIDC_CLIENT_ID: 'gateway',
        FLEET_OIDC_CLIENT_SECRET: 'gateway-secret',
        FLEET_OIDC_NAME: 'Example Light Source',
        FLEET_PUBLIC_URL: url,
      },
    });
    redis = connectStore({ url: gateway.redis.url }).on('error', () => undefined);
    store = new RedisStore(redis, 'fleet');
    const sessions = new ShownSessions(store.records, join(gateway.root, 'work'));
    await sessions.solved();
    await sessions.fresh('Of another proposal', 'mx77');
    browser = await chromium.launch({
      ...(executable !== undefined && { executablePath: executable }),
      args: ['--no-sandbox'],
    });
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser.close();
    store.close();
    redis.disconnect();
    await gateway.stop();
    await provider.stop();
  });

  const picture = async (name: string): Promise<void> => {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`) });
    }
    await page.emulateMedia({ colorScheme: 'light' });
  };
  const rows = (of: Page) => of.locator('table.sessions tbody tr');
  const way = (of: Page) => of.getByRole('link', { name: 'Log in with Example Light Source' });
  const isLive = (of: Page) => of.getByTestId('live').filter({ hasText: 'Live' }).waitFor({ timeout: waitMs });

  it('opens the page that was asked for, with what is of somebody’s proposals, live', async () => {
    await page.goto(`${gateway.url}/ui/sessions?status=completed`);
    await way(page).waitFor({ timeout: waitMs });
    await picture('login-provider');
    await way(page).click();
    await page.waitForURL('**/ui/sessions?status=completed', { timeout: waitMs });
    await rows(page).filter({ hasText: 'MDM2' }).waitFor({ timeout: waitMs });
    expect(await page.locator('.who').innerText()).toMatch(/ada\s+user/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await isLive(page);
    expect(await rows(page).count()).toBe(1);
    const kept = await context.cookies();
    expect(kept.find(({ name }) => name === 'fleet-login')).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    expect(await page.evaluate('document.cookie')).not.toContain('fleet-login');
  });

  it('that ends in the middle of something is asked for over the page, which stays as it is', async () => {
    await page.evaluate("document.body.dataset.kept = 'yes'");
    for (const name of await redis.keys('fleet:login:*')) await redis.del(name);
    await page.getByRole('heading', { name: 'Log in' }).waitFor({ timeout: waitMs });
    await picture('login-again');
    const [tab] = await Promise.all([context.waitForEvent('page'), way(page).click()]);
    await rows(tab).filter({ hasText: 'MDM2' }).waitFor({ timeout: waitMs });
    await tab.close();
    await page.bringToFront();
    await page.getByRole('heading', { name: 'Log in' }).waitFor({ state: 'detached', timeout: waitMs });
    await isLive(page);
    expect(await page.evaluate('document.body.dataset.kept')).toBe('yes');
    await rows(page).filter({ hasText: 'MDM2' }).waitFor({ timeout: waitMs });
  });

  it('ends with the logout, also at the provider', async () => {
    await page.getByRole('button', { name: 'Log out' }).click();
    // The provider asks once more.
    await page.getByRole('button', { name: 'End the session' }).click();
    await page.waitForURL('**/ui/**', { timeout: waitMs });
    await way(page).waitFor({ timeout: waitMs });
    expect(await redis.keys('fleet:login:login:*')).toEqual([]);
    await provider.state({ person: 'bob', claims: { bob: { preferred_username: 'bob' } } });
    await way(page).click();
    await page.locator('.who', { hasText: 'bob' }).waitFor({ timeout: waitMs });
    expect(await rows(page).count()).toBe(0);
  });
});
