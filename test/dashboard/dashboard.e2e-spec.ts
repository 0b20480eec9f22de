import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { connectStore, RedisStore } from '@fleet/session-store';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { RealGateway } from '../api/real-gateway';
import { hostile, ShownSessions } from './shown-sessions';

// @needs chromium

const waitMs = 30_000;
const esc = '\u001b';

/** The browser of the system; a driver's own download is none. */
const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Pictures of every page, where a folder for them is named. */
const pictures = process.env.FLEET_TEST_PICTURES;

describe('the dashboard in a browser', () => {
  let gateway: RealGateway;
  let redis: ReturnType<typeof connectStore>;
  let store: RedisStore;
  let sessions: ShownSessions;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the page said when something was refused or failed in it. */
  const complaints: string[] = [];
  let solved: string;
  let running: { readonly id: string; readonly log: string };

  beforeAll(async () => {
    gateway = await RealGateway.start();
    redis = connectStore({ url: gateway.redis.url }).on('error', () => undefined);
    store = new RedisStore(redis, 'fleet');
    sessions = new ShownSessions(store.records, join(gateway.root, 'work'));
    for (let number = 1; number <= 45; number += 1)
      await sessions.ended(`Mpro-x${String(1000 + number)}`, number % 5 === 0 ? 'infrastructure' : 'converged');
    await sessions.ended('Thaumatin, wrong space group', 'program_failed');
    await sessions.ended('Insulin with missing chains', 'unsatisfactory');
    await sessions.ended('Lysozyme, other data', 'cancelled');
    await sessions.ended('Only data', 'red_flag', 0);
    await sessions.ended('Refine once and stop', 'nothing_left');
    await sessions.simulated('Prediction of a dimer');
    await sessions.waiting('Trypsin, benzamidine');
    solved = await sessions.solved();
    const log = [
      `${esc}[1;32mStarting phenix.refine${esc}[0m`,
      hostile,
      ...Array.from({ length: 3000 }, (_, at) => `  macro cycle line ${String(at)}`),
    ];
    running = await sessions.running(`Lysozyme ${hostile}`, `${log.join('\n')}\n`);
    browser = await chromium.launch({
      ...(executable !== undefined && { executablePath: executable }),
      args: ['--no-sandbox'],
    });
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.text().includes('Content Security Policy'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
  });
  afterAll(async () => {
    await browser.close();
    store.close();
    redis.disconnect();
    await gateway.stop();
  });

  const go = (path: string): Promise<unknown> => page.goto(`${gateway.url}/ui/${path}`);
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
  const row = (text: string) => page.locator('table.sessions tbody tr', { hasText: text });
  const live = () => page.getByTestId('live');

  it('lists sessions, a page at a time, and hears of new ones', async () => {
    await go('');
    await page.waitForURL('**/ui/sessions', { timeout: waitMs });
    await row('MDM2').waitFor({ timeout: waitMs });
    await live().filter({ hasText: 'Live' }).waitFor({ timeout: waitMs });
    expect(await page.locator('table.sessions tbody tr').count()).toBe(50);
    expect(await row('MDM2').innerText()).toMatch(/Solved.*0\.1985 \/ 0\.2301/s);
    expect(await row('Trypsin').innerText()).toMatch(/Waiting.*all 2 places for programs are taken/s);
    await picture('sessions');
    await sessions.fresh('Ferritin, just submitted');
    await row('Ferritin').waitFor({ timeout: waitMs });
    await page.getByRole('link', { name: 'Next page' }).click();
    await row('Mpro-x1001').waitFor({ timeout: waitMs });
    await page.goBack();
    await row('MDM2').waitFor({ timeout: waitMs });
  });

  it('shows what came from outside as text', async () => {
    expect(await row('Lysozyme <img').count()).toBe(1);
    await row('Lysozyme <img').getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: /<script>/ }).waitFor({ timeout: waitMs });
    expect(await page.title()).not.toBe('owned');
    await page.goBack();
  });

  it('keeps its filters in the address', async () => {
    await go('sessions');
    await page.getByLabel('Proposal').fill('mx77');
    await page.waitForURL('**/ui/sessions?proposal=mx77', { timeout: waitMs });
    await page.getByLabel('Status').selectOption('running');
    await page.waitForURL(/status=running/, { timeout: waitMs });
    await row('MDM2').waitFor({ state: 'detached', timeout: waitMs });
    await page.reload();
    await row('Trypsin').waitFor({ timeout: waitMs });
    expect(await page.locator('table.sessions tbody tr').count()).toBe(1);
    expect(await page.getByLabel('Proposal').inputValue()).toBe('mx77');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row('MDM2').waitFor({ timeout: waitMs });
    await page.goBack();
    await row('Trypsin').waitFor({ timeout: waitMs });
    await page.getByLabel('Title or id').fill('nothing like it');
    await page.getByText('No session matches these filters.').waitFor({ timeout: waitMs });
  });

  it('shows a session: what came of it, each cycle with its decision and command, its files', async () => {
    await go(`sessions/${solved}`);
    await page.getByText('The structure is solved as far as its numbers can tell.').waitFor({ timeout: waitMs });
    await page.locator('.chart canvas').waitFor({ timeout: waitMs });
    expect(await page.locator('.stages').innerText()).toMatch(/✓\s*analyze.*✓\s*validate/s);
    const fifth = page.locator('#cycle-5');
    await fifth.locator('summary').first().click();
    expect(await fifth.innerText()).toContain("phenix.refine /data/4hg7.pdb '/data/it'\\''s data.mtz'");
    await fifth.getByText('Why not the others').click();
    await page.locator('.asked', { hasText: 'then stop <img src=x' }).waitFor({ timeout: waitMs });
    expect(await fifth.innerText()).toContain('it needs a sequence, and none was given <img src=x');
    await page.evaluate('scrollTo(0, 0)');
    await picture('session');
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.waitForURL(/view=files/, { timeout: waitMs });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download refine_002.pdb' }).click();
    expect((await download).suggestedFilename()).toBe('refine_002.pdb');
    await picture('session-files');
  });

  it('follows the log of a running program, whose colours and tags it shows as text', async () => {
    await go(`sessions/${running.id}?view=log`);
    const log = page.getByTestId('log');
    await log.getByText('macro cycle line 2999').waitFor({ timeout: waitMs });
    expect(await log.locator('.log-line').count()).toBeLessThan(200);
    appendFileSync(running.log, 'a line of just now\n');
    await log.getByText('a line of just now').waitFor({ timeout: waitMs });
    await picture('log');
    await log.hover();
    await page.mouse.wheel(0, -100_000);
    await log.getByText('Starting phenix.refine', { exact: true }).waitFor({ timeout: waitMs });
    await log.getByText('<img src=x onerror=').waitFor({ timeout: waitMs });
    expect(await page.title()).not.toBe('owned');
  });

  it('shows each other state in its own words', async () => {
    for (const [title, words] of [
      ['Thaumatin', 'No solution'],
      ['Insulin', 'Unsatisfactory'],
      ['Only data', 'Rejected'],
      ['Prediction of a dimer', 'Simulated'],
    ] as const) {
      await go(`sessions?text=${encodeURIComponent(title)}`);
      await row(title).getByRole('link').click();
      await page.locator('.head', { hasText: words }).waitFor({ timeout: waitMs });
      await picture(`session-${words.toLowerCase().replace(' ', '-')}`);
    }
    await go(`sessions/${'0'.repeat(26)}`);
    await page.getByText('There is no such session').waitFor({ timeout: waitMs });
  });

  it('says that the gateway is away, and comes back without a gap', async () => {
    await go('sessions');
    await live().filter({ hasText: 'Live' }).waitFor({ timeout: waitMs });
    await gateway.vanish();
    await live().filter({ hasText: 'Stale since' }).waitFor({ timeout: 5_000 });
    await picture('sessions-stale');
    await sessions.fresh('Submitted while it was away');
    await gateway.comeBack();
    await live().filter({ hasText: 'Live' }).waitFor({ timeout: waitMs });
    await row('Submitted while it was away').waitFor({ timeout: waitMs });
  });

  it('fits a telephone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await go('sessions');
    await row('MDM2').waitFor({ timeout: waitMs });
    await picture('phone-sessions');
    await go(`sessions/${solved}`);
    await page.locator('.chart canvas').waitFor({ timeout: waitMs });
    await picture('phone-session');
    for (const path of ['sessions', `sessions/${solved}`]) {
      await go(path);
      await page.waitForLoadState();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('carries out nothing that it does not hold, and was refused nothing by its own policy', () => {
    expect(complaints.filter((text) => !/Failed to load resource|ERR_/.test(text))).toEqual([]);
  });

  it('asks for a key once there is one, and opens the page that was asked for', async () => {
    const made = await fetch(`${gateway.url}/v1/admin/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ owner: 'ada', role: 'admin' }),
    });
    const { key } = (await made.json()) as { readonly key: string };
    const other = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await other.goto(`${gateway.url}/ui/sessions/${solved}`);
    await other.getByRole('heading', { name: 'Log in' }).waitFor({ timeout: waitMs });
    if (pictures !== undefined) await other.screenshot({ path: join(pictures, 'login.png') });
    await other.getByRole('textbox', { name: 'Key' }).fill('fleet_no_such_key');
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.getByRole('alert').waitFor({ timeout: waitMs });
    await other.getByRole('textbox', { name: 'Key' }).fill(key);
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.getByText('The structure is solved').waitFor({ timeout: waitMs });
    await other.reload();
    await other.getByText('The structure is solved').waitFor({ timeout: waitMs });
    // The page that was open before finds out by itself.
    await page.getByRole('heading', { name: 'Log in' }).waitFor({ timeout: waitMs });
  });
});
