import { freePort } from '@fleet/testing';
import type { Page } from 'playwright-core';
import { audience, LocalProvider } from '../identity/provider-harness';
import { ShownBrowser } from './shown-browser';

// @needs chromium

describe('the login of the facility, in a browser', () => {
  let provider: LocalProvider;
  let shown: ShownBrowser;
  let page: Page;

  beforeAll(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${String(port)}`;
    provider = await LocalProvider.start({ redirects: [`${url}/v1/login/callback`], afterLogout: [`${url}/ui/`] });
    await provider.state({ person: 'ada', claims: { ada: { preferred_username: 'ada', proposals: ['mx1234'] } } });
    shown = await ShownBrowser.start({
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
    ({ page } = shown);
    await shown.sessions.solved();
    await shown.sessions.fresh('Of another proposal', 'mx77');
  });
  afterAll(async () => {
    await shown.stop();
    await provider.stop();
  });

  const rows = (of: Page) => of.locator('[data-testid="sessions"] tbody tr');
  const way = (of: Page) => of.getByRole('link', { name: 'Log in with Example Light Source' });
  const isLive = (of: Page) => of.getByTestId('live').filter({ hasText: 'Live' }).waitFor();

  it("opens the requested page with the user's sessions, live", async () => {
    await page.goto(`${shown.gateway.url}/ui/sessions?status=completed`);
    await way(page).waitFor();
    await shown.look('login-provider');
    await way(page).click();
    await page.waitForURL('**/ui/sessions?status=completed');
    await rows(page).filter({ hasText: 'MDM2' }).waitFor();
    expect(await page.locator('[data-testid="who"]').innerText()).toMatch(/ada\s+user/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await isLive(page);
    expect(await rows(page).count()).toBe(1);
    const cookies = await page.context().cookies();
    expect(cookies.find(({ name }) => name === 'fleet-login')).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    expect(await page.evaluate('document.cookie')).not.toContain('fleet-login');
  });

  it('asks for a new login in a dialog if it ends, and keeps the page', async () => {
    await page.evaluate("document.body.dataset.kept = 'yes'");
    for (const name of await shown.redis.keys('fleet:login:*')) await shown.redis.del(name);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await shown.look('login-again');
    const [tab] = await Promise.all([page.context().waitForEvent('page'), way(page).click()]);
    await rows(tab).filter({ hasText: 'MDM2' }).waitFor();
    await tab.close();
    await page.bringToFront();
    await page.getByRole('heading', { name: 'Log in' }).waitFor({ state: 'detached' });
    await isLive(page);
    expect(await page.evaluate('document.body.dataset.kept')).toBe('yes');
    await rows(page).filter({ hasText: 'MDM2' }).waitFor();
  });

  it('ends with the logout, also at the provider', async () => {
    await page.getByRole('button', { name: 'Log out' }).click();
    // The provider asks once more.
    await page.getByRole('button', { name: 'End the session' }).click();
    await page.waitForURL('**/ui/**');
    await way(page).waitFor();
    expect(await shown.redis.keys('fleet:login:login:*')).toEqual([]);
    await provider.state({ person: 'bob', claims: { bob: { preferred_username: 'bob' } } });
    await way(page).click();
    await page.locator('[data-testid="who"]', { hasText: 'bob' }).waitFor();
    expect(await rows(page).count()).toBe(0);
  });
});
