import { useStarted } from '@fleet/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillStatistics, monthsAgo } from './shown-statistics';
import { becomesTrue, ShownBrowser } from './shown-browser';

// @needs chromium

/** Pictures are of a facility, assertions of a few sessions. */
const perMonth = process.env['FLEET_TEST_PICTURES'] === undefined ? 6 : 42;
/** The page begins with the last twelve months, of which one has no session. */
const shownMonths = 11;

describe('the page "Statistics"', () => {
  const shown = useStarted('file', () => ShownBrowser.start());
  beforeAll(async () => {
    await fillStatistics(shown.gateway.servers.databaseUrl, perMonth);
  });

  const part = (name: string) => shown.page.getByTestId(name);
  const total = (name: string) => part('totals').locator('div', { hasText: name }).locator('dd');
  const groups = async (): Promise<readonly (string | null)[]> =>
    part('figures')
      .locator('tbody tr')
      .evaluateAll((rows: { getAttribute(name: string): string | null }[]) =>
        rows.map((row) => row.getAttribute('data-group')),
      );
  const month = (ago: number): string => monthsAgo(ago).toISOString().slice(0, 7);

  it('draws outcomes, times and hours of the last twelve months', async () => {
    const { page } = shown;
    await shown.go('sessions');
    await page.getByRole('link', { name: 'Statistics' }).click();
    await page.waitForURL(/statistics$/);
    for (const name of ['outcomes', 'resolution', 'path', 'toFirstRFree', 'toEnd', 'coreHours', 'gpuHours'])
      await part(name).locator('canvas').waitFor();
    expect(await total('Sessions').innerText()).toBe(String(shownMonths * perMonth));
    expect(await groups()).toEqual([11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map(month));
    expect(await part('outcomes').getByRole('img').getAttribute('aria-label')).toBe(
      'Sessions by month: 12 bars. The table below has the figures.',
    );
    await shown.look('statistics');
  });

  it('shows the values of the bar under the pointer', async () => {
    await part('outcomes').locator('.u-over').hover();
    const legend = part('outcomes').locator('.u-legend');
    await legend.getByText(/^20\d\d-\d\d$/).waitFor();
    expect(await legend.innerText()).toMatch(/Solved\s*\d+/);
    await part('path').locator('.u-over').hover();
    await part('path')
      .locator('.u-legend')
      .getByText(/^\d+ % \(\d+\)$/)
      .first()
      .waitFor();
  });

  it('keeps grouping, period and filters in the URL', async () => {
    const { page } = shown;
    await page.getByLabel('Group by').selectOption('Beamline');
    await page.waitForURL(/statistics\?by=beamline$/);
    await part('outcomes').getByRole('heading', { name: 'Sessions by beamline' }).waitFor();
    await page.getByLabel('Period').selectOption('All time');
    await page.waitForURL(/period=all/);
    await total('Sessions')
      .getByText(String(13 * perMonth), { exact: true })
      .waitFor();
    await page.getByLabel('Proposal').fill('mx1001');
    await page.waitForURL(/by=beamline&period=all&proposal=mx1001$/);
    await total('Sessions')
      .getByText(String((13 * perMonth) / 6), { exact: true })
      .waitFor();
    await page.reload();
    await total('Sessions')
      .getByText(String((13 * perMonth) / 6), { exact: true })
      .waitFor();
    expect(await page.getByLabel('Proposal').inputValue()).toBe('mx1001');
    await page.getByLabel('Proposal').fill('');
    await page.getByLabel('Period').selectOption('Dates');
    await page.getByLabel('Submitted since').fill(`${month(2)}-01`);
    await page.getByLabel('Submitted before').fill(`${month(1)}-01`);
    await page.waitForURL(new RegExp(`since=${month(2)}-01&until=${month(1)}-01`));
    await total('Sessions').getByText(String(perMonth), { exact: true }).waitFor();
    await shown.look('statistics-beamlines');
  });

  it('links a number to its sessions', async () => {
    const { page } = shown;
    await shown.go('statistics');
    await part('figures')
      .locator(`tr[data-group="${month(3)}"] a`)
      .first()
      .click();
    await page.waitForURL(new RegExp(`sessions\\?since=${month(3)}-01&until=${month(2)}-01`));
    await becomesTrue(
      page,
      `document.querySelectorAll('[data-testid="sessions"] tbody tr').length === ${String(perMonth)}`,
    );
  });

  it('offers the same values as a CSV file', async () => {
    const { page } = shown;
    await shown.go('statistics?by=path');
    await part('figures').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('statistics-by-path.csv');
    const file = join(shown.gateway.root, 'saved.csv');
    await saved.saveAs(file);
    expect(readFileSync(file, 'utf8')).toMatch(/^path,sessions,.*\r\nexperimental_phasing,\d+,/);
  });

  it('reports an empty result, and a failed request', async () => {
    const { page } = shown;
    await shown.go('statistics?proposal=mx9');
    await page.getByText('No session of this period matches these filters.').waitFor();
    await shown.look('statistics-empty');
    const refuse = { status: 500, json: { title: 'x', detail: 'The database is gone.', code: 'internal' } };
    await page.route(/\/v1\/statistics/, (route) => route.fulfill(refuse));
    await shown.go('statistics?proposal=mx8');
    await page.getByRole('alert').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No session of this period matches these filters.').waitFor();
  });

  it('fits a small screen and a phone', async () => {
    const { page } = shown;
    await shown.go('statistics?by=proposal');
    await part('outcomes').locator('canvas').waitFor();
    for (const [name, width] of [
      ['1280', 1280],
      ['phone', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await becomesTrue(page, 'document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1');
      await becomesTrue(
        page,
        `[...document.querySelectorAll('[role="img"] canvas')].every((one) => one.clientWidth <= one.closest('main section').clientWidth)`,
      );
      await shown.look(`statistics-${name}`);
    }
  });

  it('counts only visible sessions', async () => {
    await shown.makeKey('admin');
    const { key } = await shown.makeKey('user', { proposals: ['mx1002'] });
    const page = await shown.newPage();
    await shown.enter(page, key, 'statistics?by=proposal&period=all');
    await page.getByTestId('figures').waitFor();
    expect(await page.getByTestId('figures').locator('tbody th').allInnerTexts()).toEqual(['mx1002']);
  });
});
