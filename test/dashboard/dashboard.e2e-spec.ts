import { appendFileSync } from 'node:fs';
import { eventually, useStarted } from '@fleet/testing';
import { ShownBrowser } from './shown-browser';
import { hostile } from './shown-sessions';

// @needs chromium

const esc = '\u001b';

describe('the dashboard in a browser', () => {
  const shown = useStarted('file', () => ShownBrowser.start());
  let solved: string;
  let running: { readonly id: string; readonly log: string };

  beforeAll(async () => {
    const { sessions } = shown;
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
  });

  const row = (text: string) => shown.page.locator('[data-testid="sessions"] tbody tr', { hasText: text });
  const live = () => shown.page.getByTestId('live');

  it('lists sessions page by page, and adds new ones', async () => {
    await shown.go('');
    await shown.page.waitForURL('**/ui/sessions');
    await row('MDM2').waitFor();
    await live().filter({ hasText: 'Live' }).waitFor();
    expect(await shown.page.locator('[data-testid="sessions"] tbody tr').count()).toBe(50);
    expect(await row('MDM2').innerText()).toMatch(/Solved.*0\.1985 \/ 0\.2301/s);
    expect(await row('Trypsin').innerText()).toMatch(/Waiting.*all 2 places for programs are taken/s);
    await shown.look('sessions');
    await shown.sessions.fresh('Ferritin, just submitted');
    await row('Ferritin').waitFor();
    await shown.page.getByRole('link', { name: 'Next page' }).click();
    await row('Mpro-x1001').waitFor();
    await shown.page.goBack();
    await row('MDM2').waitFor();
  });

  it('loads at most 300 kB for the first page', async () => {
    const first = await shown.newPage();
    await first.goto(`${shown.gateway.url}/ui/sessions`);
    await first.locator('[data-testid="sessions"] tbody tr').first().waitFor();
    const loaded = await first.evaluate<readonly { readonly name: string; readonly bytes: number }[]>(
      "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter(({ name }) => name.includes('/ui/')).map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))",
    );
    expect(loaded.filter(({ name }) => name.endsWith('.js')).every(({ bytes }) => bytes > 0)).toBe(true);
    expect(loaded.some(({ name }) => name.endsWith('.js'))).toBe(true);
    expect(loaded.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(300_000);
    await first.context().close();
  });

  it('shows external content as text', async () => {
    expect(await row('Lysozyme <img').count()).toBe(1);
    await row('Lysozyme <img').getByRole('link').click();
    await shown.page.getByRole('heading', { level: 1, name: /<script>/ }).waitFor();
    expect(await shown.page.title()).not.toBe('owned');
    await shown.page.goBack();
  });

  it('keeps its filters in the URL', async () => {
    await shown.go('sessions');
    await shown.page.getByLabel('Proposal').fill('mx77');
    await shown.page.waitForURL('**/ui/sessions?proposal=mx77');
    await shown.page.getByLabel('Status').selectOption('running');
    await shown.page.waitForURL(/status=running/);
    await row('MDM2').waitFor({ state: 'detached' });
    await shown.page.reload();
    await row('Trypsin').waitFor();
    expect(await shown.page.locator('[data-testid="sessions"] tbody tr').count()).toBe(1);
    expect(await shown.page.getByLabel('Proposal').inputValue()).toBe('mx77');
    await shown.page.getByRole('button', { name: 'Clear filters' }).click();
    await row('MDM2').waitFor();
    await shown.page.goBack();
    await row('Trypsin').waitFor();
    await shown.page.getByLabel('Title, sample or id').fill('nothing like it');
    await shown.page.getByText('No session matches these filters.').waitFor();
  });

  it('sorts by a column, and shows further filters as chips', async () => {
    const titles = () => shown.page.locator('td[data-column="title"] a').allTextContents();
    await shown.go('sessions');
    await row('MDM2').waitFor();
    await shown.page.getByTitle('Sort by: Title').click();
    await shown.page.waitForURL(/sort=title/);
    // The rows before stay until the sorted ones have arrived; the first may be the same.
    const sorted = await eventually('sorted titles', async () => {
      const shownNow = await titles();
      return (
        shownNow.length > 1 && shownNow.every((title, at) => at === 0 || (shownNow[at - 1] ?? '') <= title) && shownNow
      );
    });
    await shown.page.getByRole('button', { name: 'More filters' }).click();
    await shown.page.getByLabel('Beamline').fill('i24');
    await shown.page.waitForURL(/beamline=i24/);
    await shown.look('list-filters');
    await shown.page.getByRole('button', { name: 'Fewer filters' }).click();
    await shown.page.getByRole('button', { name: 'Remove the filter Beamline' }).click();
    await shown.page.waitForURL((url) => !url.search.includes('beamline') && url.search.includes('sort=title'));
    await row(sorted.at(-1) ?? '')
      .first()
      .waitFor();
    expect(await titles()).toEqual(sorted);
  });

  it('moves nothing when the counters arrive', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await shown.page.route(/\/v1\/counts/, async (route) => {
      await held;
      await route.continue();
    });
    await shown.go('sessions');
    await row('MDM2').waitFor();
    const top = async () => (await row('MDM2').boundingBox())?.y;
    const before = await top();
    answer();
    await shown.page.getByTestId('counters').waitFor();
    expect(await top()).toBe(before);
    await shown.page.unroute(/\/v1\/counts/);
    await shown.page.locator('[data-counter="cancelled"]').click();
    await shown.page.waitForURL(/outcome=cancelled/);
  });

  it('saves a named view in the browser', async () => {
    const button = (name: string) => shown.page.getByRole('button', { name });
    await shown.go('sessions?outcome=failed_science&sort=created');
    await button('Save view').click();
    await shown.page.getByLabel('View name').fill('To look into');
    await shown.page.keyboard.press('Enter');
    const view = shown.page.getByRole('navigation', { name: 'Saved views' }).getByRole('link');
    await view.filter({ hasText: 'To look into' }).waitFor();
    await shown.look('list-views');
    await shown.go('sessions');
    await row('MDM2').waitFor();
    await view.click();
    await shown.page.waitForURL(/outcome=failed_science&sort=created/);
    await row('MDM2').waitFor({ state: 'detached' });
    await button('Delete view To look into').click();
    await button('Save view').waitFor();
    await shown.page.reload();
    await row('Thaumatin').waitFor();
    expect(await view.count()).toBe(0);
  });

  it('shows a session: its outcome, each cycle with its decision and command, its files', async () => {
    await shown.go(`sessions/${solved}`);
    await shown.page.getByText('The structure is solved as far as its numbers can tell.').waitFor();
    await shown.page.locator('[role="img"] canvas').waitFor();
    expect(await shown.page.locator('[data-testid="stages"]').innerText()).toMatch(/✓\s*analyze.*✓\s*validate/s);
    const fifth = shown.page.locator('#cycle-5');
    await fifth.locator('summary').first().click();
    expect(await fifth.innerText()).toContain("phenix.refine /data/4hg7.pdb '/data/it'\\''s data.mtz'");
    await fifth.getByText('Other programs').click();
    await shown.page.locator('[data-testid="asked"]', { hasText: 'then stop <img src=x' }).waitFor();
    expect(await fifth.innerText()).toContain('it needs a sequence, and none was given <img src=x');
    await shown.page.evaluate('scrollTo(0, 0)');
    await shown.look('session');
    await shown.page.getByRole('tab', { name: 'Files' }).click();
    await shown.page.waitForURL(/view=files/);
    const download = shown.page.waitForEvent('download');
    await shown.page.getByRole('button', { name: 'Download refine_002.pdb' }).click();
    expect((await download).suggestedFilename()).toBe('refine_002.pdb');
    await shown.look('session-files');
  });

  it('follows the log of a running program, whose colours and tags it shows as text', async () => {
    await shown.go(`sessions/${running.id}?view=log`);
    const log = shown.page.getByTestId('log');
    await log.getByText('macro cycle line 2999').waitFor();
    expect(await log.locator('[data-testid="log-line"]').count()).toBeLessThan(200);
    appendFileSync(running.log, 'a line of just now\n');
    await log.getByText('a line of just now').waitFor();
    await shown.look('log');
    await log.hover();
    await shown.page.mouse.wheel(0, -100_000);
    await log.getByText('Starting phenix.refine', { exact: true }).waitFor();
    await log.getByText('<img src=x onerror=').waitFor();
    expect(await shown.page.title()).not.toBe('owned');
  });

  it('reports an unknown session', async () => {
    await shown.go(`sessions/${'0'.repeat(26)}`);
    await shown.page.getByText('Session not found').waitFor();
  });

  it('asks for a key once one exists, and then opens the requested page', async () => {
    const made = await fetch(`${shown.gateway.url}/v1/admin/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ owner: 'ada', role: 'admin' }),
    });
    const { key } = (await made.json()) as { readonly key: string };
    const other = await shown.newPage();
    await other.goto(`${shown.gateway.url}/ui/sessions/${solved}`);
    await other.getByRole('heading', { name: 'Log in' }).waitFor();
    await shown.look('login', other);
    await other.getByRole('textbox', { name: 'Key' }).fill('fleet_no_such_key');
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.getByRole('alert').waitFor();
    await other.getByRole('textbox', { name: 'Key' }).fill(key);
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.getByText('The structure is solved').waitFor();
    await other.reload();
    await other.getByText('The structure is solved').waitFor();
    // The page that was open before finds out by itself.
    await shown.page.getByRole('heading', { name: 'Log in' }).waitFor();
  });
});
