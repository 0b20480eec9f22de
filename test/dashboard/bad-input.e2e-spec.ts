import { useStarted } from '@fleet/testing';
import { closeSync, openSync, writeSync } from 'node:fs';
import { becomesTrue, ShownBrowser } from './shown-browser';
import { hostileName, hostileSession, measuredLine } from './shown-hostile';

// @needs chromium

const gigabyte = 1024 ** 3;
const tailLines = 6_000;

/** A log of a gigabyte, of which the disk holds what is written: 20 MB of lines, nothing, and lines at its end. */
const enlarge = (path: string): void => {
  const log = openSync(path, 'r+');
  const lines = Array.from(
    { length: 20_000 },
    (_, at) => `  macro cycle, a line as programs write them ${String(at)}\n`,
  );
  const block = Buffer.from(lines.join(''));
  for (let at = 0; at < 20 * 1024 ** 2; at += block.length) writeSync(log, block, 0, block.length, at);
  const tail = Buffer.from(
    `\n${Array.from({ length: tailLines }, (_, at) => `  at the end ${String(at)}\n`).join('')}`,
  );
  writeSync(log, tail, 0, tail.length, gigabyte - tail.length);
  closeSync(log);
};

describe('input that could break a page', () => {
  const shown = useStarted('file', () => ShownBrowser.start({ env: { FLEET_TIME_ZONE: 'Asia/Tokyo' } }));

  const log = () => shown.page.getByTestId('log');
  const heading = (name: string) => shown.page.getByRole('heading', { name });

  describe('in names, program output and user texts', () => {
    let id: string;
    beforeAll(async () => {
      id = await hostileSession(shown);
    });
    afterEach(async () => {
      expect(await shown.page.title()).not.toBe('owned');
      expect(await shown.page.locator('main img').count()).toBe(0);
    });

    it('is shown as text in every part of a session, and in its summary', async () => {
      for (const view of ['cycles', 'validation', 'assessment', 'files', 'trace', 'log', '3d']) {
        await shown.go(`sessions/${id}?view=${view}`);
        await heading('A session <img').waitFor();
        await shown.page.getByRole('tab', { selected: true }).waitFor();
        await shown.page.getByTestId('live').filter({ hasText: 'Live' }).waitFor();
        // What would be carried out is part of the page at once.
        expect([view, await shown.page.locator('img[src="x"]').count()]).toEqual([view, 0]);
      }
      const answer = await shown.page.goto(`${shown.gateway.url}/v1/sessions/${id}/summary`);
      expect(answer?.headers()).toMatchObject({ 'x-content-type-options': 'nosniff' });
      expect(answer?.headers()['content-type']).not.toContain('html');
      await shown.go(`compare?left=${id}&right=${id}`);
      await heading('Session comparison').waitFor();
    });

    it('is shown as a file name with its checksum, and in an archive', async () => {
      await shown.go(`sessions/${id}?view=files`);
      const row = shown.page.locator('[data-testid="files"] tbody tr', { hasText: hostileName });
      expect(await row.getByText('ab12ab12ab12…').getAttribute('title')).toBe('ab12'.repeat(16));
      for (const name of ['Best files (zip)', 'All files (zip)']) {
        const arrives = shown.page.waitForEvent('download');
        await shown.page.getByRole('button', { name }).click();
        expect((await arrives).suggestedFilename()).toBe(`${id}.zip`);
      }
      await shown.look('session-archive');
    });

    it('is shown as a word of a command with its source', async () => {
      await shown.go(`sessions/${id}?cycle=1`);
      const command = shown.page.locator('#cycle-1 [data-testid="command"]');
      await command.locator('[data-testid="token"]').first().waitFor();
      const tokens = await command.locator('[data-testid="token"]').all();
      expect(await Promise.all(tokens.map((token) => token.getAttribute('title')))).toEqual([
        'the program: refinement',
        'a file: model: the best file of model',
        expect.stringMatching(/^requested: prefix: <img/),
      ]);
      await shown.page.getByText('Source of each argument').press('Enter');
      await shown.page.locator('#cycle-1 li', { hasText: 'requested: prefix' }).waitFor();
      await shown.look('session-sources', shown.page, command);
    });

    it('is shown as a log line that its number links to, also after Back and a reload', async () => {
      await shown.go(`sessions/${id}?cycle=1`);
      await shown.page.locator('#cycle-1 [data-testid="metrics"] a').first().click();
      await shown.page.waitForURL(new RegExp(`view=log.*line=${String(measuredLine)}`));
      await log().locator('[data-named]', { hasText: 'R-free = 0.2301 <img' }).waitFor();
      await shown.page.reload();
      await log().locator('[data-named]', { hasText: 'R-free = 0.2301 <img' }).waitFor();
      await shown.look('log-line');
      await log().getByRole('link', { name: 'Link to line 1230' }).click();
      await shown.page.waitForURL(/line=1230/);
      await log().locator('[data-named]', { hasText: 'line 1230' }).waitFor();
      await shown.page.goBack();
      await log().locator('[data-named]', { hasText: 'R-free' }).waitFor();
    });
  });

  it('a log of a gigabyte: its end loads immediately, and a line out of reach is reported', async () => {
    const running = await shown.sessions.running('A log of a gigabyte', '\n');
    enlarge(running.log);
    await shown.go(`sessions/${running.id}?view=log`);
    await log()
      .getByText(`at the end ${String(tailLines - 1)}`)
      .waitFor();
    expect(await log().locator('[data-testid="log-line"]').count()).toBeLessThan(200);
    await shown.page.getByText('before this point are not shown').waitFor();
    await shown.go(`sessions/${running.id}?view=log&cycle=5&line=90000`);
    await log().locator('[data-named]').waitFor();
    await shown.page.getByText('The log continues after these lines.').waitFor();
    await shown.go(`sessions/${running.id}?view=log&cycle=5&line=90000000`);
    await shown.page.getByText('Line 90000000 is beyond the first').waitFor();
    expect(await log().locator('[data-testid="log-line"]').count()).toBeLessThan(200);
    await shown.page.getByRole('link', { name: 'Show end' }).click();
    await log()
      .getByText(`at the end ${String(tailLines - 1)}`)
      .waitFor();
  });

  it('a session of a hundred cycles: each has a card, a URL and a point in the chart', async () => {
    const id = await shown.sessions.long('A hundred cycles', 100);
    await shown.go(`sessions/${id}?cycle=50`);
    await shown.page.locator('#cycle-50').getByText('Reason for the decision').waitFor();
    expect(await shown.page.locator('details[data-outcome]').count()).toBe(100);
    await shown.page.locator('[role="img"] canvas').waitFor();
    await becomesTrue(
      shown.page,
      "Math.abs(document.getElementById('cycle-50').getBoundingClientRect().top) < innerHeight",
    );
    await shown.look('session-hundred');
  });

  it('a login that ends during typing: no text is lost, and another key continues', async () => {
    await shown.makeKey('admin');
    const first = await shown.makeKey('user', { proposals: ['mx1234'] });
    const second = await shown.makeKey('user', { proposals: ['mx1234'] });
    const page = await shown.newPage({ isBroken: true });
    await shown.enter(page, first.key, 'submit');
    const advice = page.getByLabel('Advice in plain words');
    await page.getByLabel('Title').fill('Typed before the login ended');
    await shown.send('POST', `/v1/admin/keys/${first.record.id}/revocation`, {});
    await advice.fill('use data to 2.5 Å');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.getByRole('textbox', { name: 'Key' }).fill(second.key);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Title').inputValue()).toBe('Typed before the login ended');
    expect(await advice.inputValue()).toBe('use data to 2.5 Å');
    await page.getByTestId('understood').locator('[data-testid="understood-yes"]').first().waitFor();
    await page.goto(`${shown.gateway.url}/ui/sessions`);
    const time = page.locator('[data-testid="sessions"] tbody time').first();
    // Of the facility, wherever the browser is.
    expect(await time.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+9$/);
    await page.context().close();
  });
});
