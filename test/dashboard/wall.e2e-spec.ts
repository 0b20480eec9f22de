import type { NewApiKey } from '@fleet/contracts/access';
import { attemptName } from '@fleet/contracts/runs';
import { RUN_SLOTS, type RunSlots } from '@fleet/ports';
import { aSharedRun, freePort, useStarted } from '@fleet/testing';
import type { Page } from 'playwright-core';
import { ShownBrowser } from './shown-browser';
import { hostile } from './shown-sessions';

// @needs chromium

const screens = { '1080p': { width: 1920, height: 1080 }, '4K': { width: 3840, height: 2160 } } as const;

describe('the wall', () => {
  const shown = useStarted('file', async () => ShownBrowser.start({ port: await freePort() }));
  let page: Page;
  /** Every address that the gateway was asked for. */
  const requests: string[] = [];
  let screen: NewApiKey;

  beforeAll(async () => {
    const { sessions } = shown;
    for (const [title, reason] of [
      ['Of another beamline', 'converged'],
      ['Insulin with missing chains', 'unsatisfactory'],
    ] as const)
      await sessions.ended(title, reason);
    for (let number = 1; number <= 15; number += 1)
      await sessions.running(`Mpro-x${String(1000 + number)} with a fragment of the second library`, '');
    await sessions.running(`Lysozyme ${hostile}`, '');
    const slots = shown.gateway.app.get<RunSlots>(RUN_SLOTS, { strict: false });
    for (const title of ['Trypsin, benzamidine', 'Proteinase K'])
      await slots.waiting(
        aSharedRun(attemptName(await sessions.waiting(title), 2, 1), { proposal: 'mx77' }),
        'no_room',
      );
    await sessions.solved();
    await sessions.solved('Thaumatin at room temperature');
    await shown.makeKey('admin');
    screen = await shown.makeKey('kiosk', { beamlines: ['i04'] });
    page = await shown.newPage();
    page.on('request', (request) => requests.push(request.url()));
  });

  const list = (kind: string) => page.getByTestId(`wall-${kind}`);
  const rows = () => list('running').locator('[data-testid="wall-row"]');
  const wall = (key: string): string => `${shown.gateway.url}/ui/wall#key=${key}`;

  it('opens by its link, removes the key from the URL, and stays open', async () => {
    await page.setViewportSize(screens['1080p']);
    await page.goto(wall(screen.key));
    await rows().first().waitFor();
    expect(page.url()).toBe(`${shown.gateway.url}/ui/wall`);
    expect(await page.evaluate('location.href + document.cookie + sessionStorage.length')).not.toContain(screen.key);
    expect(requests.filter((address) => address.includes(screen.key))).toEqual([]);
    await page.reload();
    await rows().first().waitFor();
    // Another page of this browser asks who somebody is: the link opens the wall alone.
    await page.goto(`${shown.gateway.url}/ui/sessions`);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.goto(`${shown.gateway.url}/ui/wall`);
  });

  it('shows running, ended and waiting sessions of its beamline', async () => {
    await rows().first().waitFor();
    const text = await page.locator('[data-testid="wall"]').innerText();
    expect(text).toMatch(/refine\s*running\s*5 \/ 20\s*cycle\s*0\.2902\s*R-free/);
    expect(text).toMatch(/MDM2 with nutlin-3a/);
    expect(text).not.toContain('Of another beamline');
    expect(await list('waiting').innerText()).toMatch(/Trypsin.*i04\s*\d+ min/s);
    // Whose they are, and why they wait, is nobody's business who walks by.
    expect(text).not.toMatch(/mx77|places for programs/);
    expect(await list('ended').innerText()).toMatch(/Thaumatin.*min ago\s*Solved\s*R-free 0\.2301/s);
    expect(await page.locator('[data-counter="running"]').innerText()).toMatch(/16\s*Running/);
    expect(await page.locator('[data-counter="waiting"]').innerText()).toMatch(/2\s*Waiting\s*oldest/);
    expect(
      await page.locator('[data-testid="wall"] a, [data-testid="wall"] button, [data-testid="wall"] input').count(),
    ).toBe(0);
    expect(await page.title()).not.toBe('owned');
  });

  it('rotates through rows that do not fit', async () => {
    const first = await list('running').innerText();
    const [now, next] = first.includes('1–8 of 16') ? ['1–8 of 16', '9–16 of 16'] : ['9–16 of 16', '1–8 of 16'];
    expect(first).toContain(now);
    await list('running').getByText(next).waitFor();
    const both = `${first}\n${await list('running').innerText()}`;
    for (let number = 1; number <= 15; number += 1) expect(both).toContain(`Mpro-x${String(1000 + number)}`);
    expect(both).toContain('<img');
  });

  it.each(['1080p', '4K'] as const)('is readable from four metres at %s', async (name) => {
    const { width } = screens[name];
    await page.setViewportSize(screens[name]);
    expect(await rows().count()).toBe(8);
    await shown.look(`wall-${name}`, page);
    // 18 mm on a screen of 55 inches.
    const smallest: unknown = await page.evaluate(
      `Math.min(...[...document.querySelectorAll('[data-testid="wall"] *')].filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '') && one.tagName !== 'title').map((one) => parseFloat(getComputedStyle(one).fontSize)))`,
    );
    expect(smallest).toBeGreaterThanOrEqual(width * 0.0149);
    const cut: unknown = await page.evaluate(
      `[...document.querySelectorAll('[data-testid="wall"], [data-testid^="wall-"], [data-testid="wall-row"], [data-testid="wall-fit"], [data-testid="wall"] > ul li')].filter((one) => one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth + 2).map((one) => one.className + one.dataset.testid)`,
    );
    expect(cut).toEqual([]);
  });

  it('reports an outage of the gateway, and shows missed changes afterwards', async () => {
    await page.setViewportSize(screens['1080p']);
    await page.getByTestId('live').filter({ hasText: 'Live' }).waitFor();
    await shown.gateway.vanish();
    await page.locator('[data-testid="wall-stale"]').waitFor();
    await shown.look('wall-stale', page);
    await shown.sessions.fresh('Submitted while it was away');
    await shown.gateway.comeBack();
    await page.locator('[data-testid="wall-stale"]').waitFor({ state: 'detached' });
    await page.locator('[data-counter="running"]').getByText('17').waitFor();
  });

  it('reloads itself when the gateway serves another build, twice in a row', async () => {
    const program = await page.locator('script[type="module"]').getAttribute('src');
    const pages = await (await fetch(`${shown.gateway.url}/ui/`)).text();
    await page.evaluate('window.before = true');
    await page.route(
      ({ pathname }) => pathname === '/ui/',
      (route) => route.fulfill({ contentType: 'text/html', body: pages.replace(/index-[\w-]+\.js/, 'index-new.js') }),
    );
    let status = 404;
    await page.route(/index-new\.js/, (route) => route.fulfill({ status, contentType: 'text/javascript', body: '' }));
    // It looks whenever the browser has its network again, too.
    const looked = page.waitForRequest(/\/ui\/$/);
    await page.evaluate(
      'setInterval(() => ["offline", "online"].forEach((kind) => dispatchEvent(new Event(kind))), 200)',
    );
    await looked;
    const missed = page.waitForResponse(/index-new\.js/);
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 60_000; }');
    await (await missed).finished();
    expect(await page.evaluate('window.before')).toBe(true);
    const isThereAgain = page.waitForEvent('domcontentloaded');
    status = 200;
    await isThereAgain;
    await page.unrouteAll();
    await rows().first().waitFor();
    expect(await page.locator('script[type="module"]').getAttribute('src')).toBe(program);
  });

  it('shows nothing after its key is revoked', async () => {
    await shown.send('POST', `/v1/admin/keys/${screen.record.id}/revocation`, {});
    await page.getByRole('alert').filter({ hasText: 'was revoked' }).waitFor();
    expect(await page.locator('[data-testid="wall"]').count()).toBe(0);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  it('rejects and forgets a key with more than read access', async () => {
    const other = await shown.newPage();
    await other.goto(wall((await shown.makeKey('staff', { beamlines: ['i04'] })).key));
    await other.getByRole('alert').filter({ hasText: 'the role staff' }).waitFor();
    expect(await other.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    expect(await other.locator('[data-testid="wall"]').count()).toBe(0);
  });
});
