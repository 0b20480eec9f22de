import type { SessionView } from '@fleet/contracts/sessions';
import type { Browser, Locator, Page } from 'playwright-core';
import { Standalone, testData } from '../e2e/standalone';
import { connectBrowser } from './shown-browser';

// @needs chromium, PHENIX_FLEET_TEST_DATA

/** Milliseconds that real programs may take for a few cycles of the smallest dataset, beside other work. */
const patience = 900_000;

/** Nothing is put into the store here: gateway, workers, Redis and programs are the real ones. */
describe('a night at the beamline, in a browser', () => {
  let standalone: Standalone;
  let browser: Browser;
  let page: Page;
  let solving: string;
  beforeAll(async () => {
    standalone = await Standalone.shared();
    browser = await connectBrowser();
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    page.setDefaultTimeout(600_000);
  });
  afterAll(async () => {
    await browser.close();
    await standalone.stop();
  });

  const go = (path: string) => page.goto(`${standalone.state.url}/ui/${path}`);
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const idOfPage = (): string => /sessions\/([0-9a-z]{26})/.exec(page.url())?.[1] ?? '';
  const sessionOf = async (id: string): Promise<SessionView> =>
    (await (await fetch(`${standalone.state.url}/v1/sessions/${id}`)).json()) as SessionView;

  /** By going through the folders of the server. @returns its id */
  const submit = async (title: string, cycles: number): Promise<string> => {
    await go('submit');
    await page.getByTestId('entries').getByText(testData(), { exact: true }).click();
    await page.getByTestId('entries').getByText('tiny_5e5z', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Add 5e5z.mtz' }).check();
    await page.getByRole('checkbox', { name: 'Add 5e5z.pdb' }).check();
    await page.getByLabel('Title').fill(title);
    await page.getByText('Settings', { exact: true }).click();
    await page.getByLabel('max cycles').fill(String(cycles));
    await page.getByTestId('reading').getByText('Everything is valid.').waitFor();
    await button('Submit').click();
    await page.waitForURL(/sessions\/[0-9a-z]{26}/);
    return idOfPage();
  };

  it('submits the smallest dataset by browsing, and shows its cycles without a reload', async () => {
    solving = await submit('A small peptide', 3);
    await page.getByTestId('live').filter({ hasText: 'Live' }).waitFor();
    await page.locator('#cycle-1').waitFor({ timeout: patience });
    await page.locator('[data-testid="verdict"]', { hasText: 'Stop reason' }).waitFor({ timeout: patience });
    const { cycles } = await sessionOf(solving);
    expect(await page.locator('details[data-outcome]').count()).toBe(cycles.length);
    expect(cycles.length).toBeGreaterThan(1);
  });

  it('shows the reason, the source of each word of the command, a number with its line, and the log summary', async () => {
    const { cycles } = await sessionOf(solving);
    const measured = cycles.findLast(({ result }) => (result?.metrics.length ?? 0) > 0);
    const card = page.locator(`#cycle-${String(measured?.cycle)}`);
    await go(`sessions/${solving}?cycle=${String(measured?.cycle)}`);
    await card.getByText('Reason for the decision').waitFor();
    await card.locator('[data-testid="command"] [data-testid="token"]').first().waitFor();
    expect(await card.locator('[data-testid="command"] [data-testid="token"]').count()).toBe(
      measured?.decision.argv.length,
    );
    await card.getByText('Log summary').click();
    await card.getByTestId('log-summary').getByText('Written by the rules').waitFor();
    await card.locator('[data-testid="metrics"] a').first().click();
    await page.getByTestId('log').locator('[data-named]').waitFor();
    const { line } = measured?.result?.metrics[0] ?? { line: 0 };
    expect(await page.getByTestId('log').locator('[data-named] [data-testid="log-number"]').innerText()).toBe(
      String(line),
    );
  });

  it('shows the plot, and the model with its density', async () => {
    await go(`sessions/${solving}`);
    await page.locator('[role="img"] canvas').waitFor();
    await page.getByRole('tab', { name: '3D' }).click();
    await page.locator('[data-testid="scene"][data-maps="density difference"]').waitFor();
    const frame = page.locator('[data-testid="scene-frame"]');
    const withMap = await frame.screenshot();
    await page.getByRole('switch', { name: '2mFo-DFc', exact: true }).uncheck();
    for (let without = withMap; without.equals(withMap);) without = await frame.screenshot();
  });

  it('advises a session, cancels another, and finds both by a filter that survives a reload', async () => {
    await submit('To be advised', 20);
    await button('Change advice').click();
    await page.getByLabel('Advice in plain words').fill('stop after refinement');
    await page.getByTestId('understood').locator('[data-testid="understood-yes"]').first().waitFor();
    await button('Send advice').click();
    await page.locator('[data-testid="asked"] q', { hasText: 'stop after refinement' }).waitFor();
    const cancelled = await submit('To be cancelled', 20);
    await button('Cancel…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 1 session' }).click();
    await page.getByRole('dialog').getByText('1 done').waitFor();
    await button('Close').click();
    await page.locator('[data-testid="head"] [data-state="cancelled"]').waitFor({ timeout: patience });
    await go('sessions?outcome=cancelled&text=To%20be%20cancelled');
    const rows = page.locator('[data-testid="sessions"] tbody tr');
    await rows.filter({ hasText: 'To be cancelled' }).waitFor();
    await page.reload();
    await rows.filter({ hasText: 'To be cancelled' }).waitFor();
    expect(await rows.count()).toBe(1);
    expect((await sessionOf(cancelled)).status).toBe('cancelled');
  });
});
