import { ShownBrowser } from './shown-browser';
import { tracedSession } from './shown-trace';

// @needs chromium

describe('the trace page of a session', () => {
  let shown: ShownBrowser;
  let solved: string;
  let long: string;
  beforeAll(async () => {
    shown = await ShownBrowser.start();
    solved = await tracedSession(shown, { title: 'MDM2 with nutlin-3a' });
    long = await tracedSession(shown, { title: 'A hundred cycles', cycles: 100, isRunning: true });
  });
  afterAll(async () => {
    await shown.stop({ mayFailToLoad: false });
  });

  const grid = () => shown.page.getByRole('treegrid', { name: 'Operations of the session' });
  const row = (path: string) => grid().locator(`[data-path="${path}"]`);
  const details = () => shown.page.getByTestId('operation');
  const hasFocus = (path: string) => grid().locator(`[data-path="${path}"]:focus`);
  const open = async (id: string, more = ''): Promise<void> => {
    await shown.go(`sessions/${id}?view=trace${more}`);
    await grid().waitFor();
  };

  it('is a tab of its page: each operation with duration, outcome and model cost', async () => {
    await shown.go(`sessions/${solved}`);
    await shown.page.getByRole('tab', { name: 'Trace' }).click();
    await shown.page.waitForURL(/view=trace/);
    await row('1.1').waitFor();
    expect(await row('1').getAttribute('aria-level')).toBe('1');
    expect(await row('1.1').innerText()).toMatch(/Decision phenix\.xtriage\s*decided by the model of site-vllm/);
    expect(await row('1.1.1').innerText()).toMatch(
      /Model site-vllm \(qwen3-32b\), prompt plan 1.*2,900 → 140\s*0\.0021/s,
    );
    expect(await row('1.2').innerText()).toMatch(/Program.*18 s/s);
    await shown.page.getByText('8 requests to models').waitFor();
    await shown.page.getByText(/what 1 request cost is not known/).waitFor();
    expect(await shown.page.title()).not.toBe('owned');
  });

  it('marks waits and failures by colour, sign and word', async () => {
    await open(solved);
    await row('3').locator('[data-testid="trace-what"]').click();
    await row('3.3').scrollIntoViewIfNeeded();
    expect(await row('3.2').innerText()).toMatch(/Waiting.*1 min 35 s/s);
    expect(await row('3.3').getByRole('img', { name: 'failed' }).count()).toBe(1);
    expect(await row('3.3').innerText()).toContain('its node vanished <img src=x');
    const [wait, run] = [
      row('3.2').locator('[data-testid="trace-bar"]'),
      row('3.3').locator('[data-testid="trace-bar"]'),
    ];
    const [before, after] = [await wait.boundingBox(), await run.boundingBox()];
    expect(before!.width).toBeGreaterThan(after!.width);
    expect(before!.x + before!.width).toBeLessThanOrEqual(after!.x + 3);
  });

  it('has a URL for each operation: it opens, survives a reload, and goes back', async () => {
    await open(solved, '&op=5.1.1');
    await details().getByText('timeout: nothing came for 60 s').waitFor();
    await details().getByRole('button', { name: 'Prompt and reply' }).click();
    await details().getByText('The prompt is not stored').waitFor();
    await row('5.3').getByRole('link', { name: 'Operation 5.3' }).click();
    await shown.page.waitForURL(/op=5\.3/);
    await details().getByRole('link', { name: 'Log', exact: true }).waitFor();
    await shown.page.reload();
    await details().getByRole('link', { name: 'Log', exact: true }).waitFor();
    await shown.look('session-trace');
    await shown.page.goBack();
    await details().getByText('timeout: nothing came for 60 s').waitFor();
    await shown.page.goForward();
    await details().getByRole('link', { name: 'Decision, command and metrics' }).click();
    await shown.page.locator('#cycle-5[open] [data-testid="command"]').waitFor();
    await open(solved, '&op=77.1');
    await shown.page.getByText('This trace has no operation 77.1.').waitFor();
  });

  it('shows the time of a single operation', async () => {
    await open(solved, '&op=3');
    const width = async (): Promise<number> =>
      (await row('3').locator('[data-testid="trace-bar"]').boundingBox())!.width;
    const narrow = await width();
    await details().getByRole('link', { name: 'Zoom to this operation' }).click();
    await shown.page.waitForURL(/zoom=3/);
    await shown.page.getByText('The axis shows only the time of 3.').waitFor();
    expect(await width()).toBeGreaterThan(2 * narrow);
    await row('1').getByText('before this time').waitFor({ state: 'attached' });
    await details().getByRole('link', { name: 'Whole session' }).click();
    await row('1').locator('[data-testid="trace-bar"]').waitFor();
  });

  it('can be used with the keyboard only', async () => {
    await open(solved, '&op=1');
    await row('1').focus();
    await shown.page.keyboard.press('ArrowRight');
    await hasFocus('1.1').waitFor();
    await shown.page.keyboard.press('ArrowLeft');
    expect(await row('1.1').getAttribute('aria-expanded')).toBe('false');
    await row('1.1.1').waitFor({ state: 'detached' });
    await shown.page.keyboard.press('ArrowLeft');
    await hasFocus('1').waitFor();
    await shown.page.keyboard.press('End');
    await grid().locator('[data-path^="7."]:focus').waitFor();
    await shown.page.keyboard.press('Enter');
    await shown.page.waitForURL(/op=7\./);
    await shown.page.keyboard.press('Home');
    await hasFocus('1').waitFor();
  });

  it('draws only the visible part of a hundred cycles', async () => {
    await open(long);
    await shown.page.getByRole('button', { name: 'Expand all' }).click();
    await grid().locator('[data-path="1.1"]').waitFor();
    expect(Number(await grid().getAttribute('aria-rowcount'))).toBeGreaterThan(500);
    expect(await grid().getByRole('row').count()).toBeLessThan(60);
    await grid().hover();
    await shown.page.mouse.wheel(0, 100_000);
    await row('100.3').waitFor();
    expect(await grid().getByRole('row').count()).toBeLessThan(60);
    // What is queued is shown until now.
    await row('101').waitFor();
    expect(await row('101').getByRole('img', { name: 'in progress' }).count()).toBe(1);
    await shown.page.getByRole('button', { name: 'Collapse all' }).click();
    await row('101.1').waitFor({ state: 'detached' });
  });

  it('is linked from the card of a cycle, which has its own URL, as do the points of the plot', async () => {
    await shown.go(`sessions/${solved}?cycle=5`);
    await shown.page.locator('#cycle-5[open]').waitFor();
    await shown.page.locator('[data-testid="stages"]').getByRole('link', { name: 'probe placement' }).click();
    await shown.page.waitForURL(/cycle=2$/);
    await shown.page.locator('#cycle-2[open]').getByRole('link', { name: 'Link to this cycle' }).waitFor();
    await shown.page.goBack();
    await shown.page.waitForURL(/cycle=5$/);
    const plot = shown.page.locator('[role="img"] .u-over');
    const { width, height } = (await plot.boundingBox())!;
    await plot.click({ position: { x: width - 4, y: height / 2 } });
    await shown.page.waitForURL(/cycle=7$/);
    await shown.page.reload();
    await shown.page.locator('#cycle-7').getByRole('link', { name: 'Operations and times' }).click();
    await row('7').waitFor();
  });
});
