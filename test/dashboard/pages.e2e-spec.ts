import { useStarted } from '@fleet/testing';
import { shownBatch, waitingBatch } from './shown-batch';
import { ShownBrowser } from './shown-browser';
import { hostile } from './shown-sessions';

// @needs chromium

describe('user actions in the dashboard', () => {
  const shown = useStarted('file', () => ShownBrowser.start());
  let batch: string;
  beforeAll(async () => {
    const { sessions } = shown;
    for (const [title, reason] of [
      ['Thaumatin, wrong space group', 'program_failed'],
      ['Insulin with missing chains', 'unsatisfactory'],
      ['Trypsin, node lost', 'infrastructure'],
    ] as const)
      await sessions.ended(title, reason);
    await sessions.solved();
    await sessions.waiting('Ferritin');
    await sessions.fresh(`Lysozyme ${hostile}`);
    await sessions.fresh('Proteinase K');
    batch = await shownBatch(shown, 44);
  });

  const row = (text: string) => shown.page.locator('[data-testid="sessions"] tbody tr', { hasText: text });
  const button = (name: string | RegExp) => shown.page.getByRole('button', { name });

  describe('with the list', () => {
    it('counts sessions; a click filters them', async () => {
      await shown.go('sessions?proposal=mx1234');
      const counter = (kind: string) => shown.page.locator(`[data-counter="${kind}"]`);
      await counter('solved').waitFor();
      expect(await counter('waiting').innerText()).toMatch(/Waiting\s*0/);
      expect(Number(/\d+/.exec(await counter('solved').innerText())?.[0])).toBeGreaterThan(5);
      await counter('failed_infrastructure').getByRole('link').click();
      await shown.page.waitForURL(/outcome=failed_infrastructure/);
      await row('Trypsin').waitFor();
      await row('Insulin').waitFor({ state: 'detached' });
    });

    it('shows the trend of the fit and the maximum number of cycles', async () => {
      await shown.go('sessions?text=MDM2');
      await row('MDM2').waitFor();
      expect(await row('MDM2').locator('[data-testid="spark"] title').textContent()).toMatch(
        /0\.3342 → 0\.2902 → 0\.2301/,
      );
      expect(await row('MDM2').locator('[data-column="cycle"]').innerText()).toBe('7 / 20');
    });

    it('changes the priority of running sessions', async () => {
      await shown.go('sessions');
      for (const title of ['Lysozyme <img', 'Insulin']) await row(title).getByRole('checkbox').check();
      await button('Priority of 1…').click();
      const dialog = shown.page.getByRole('dialog', { name: 'Change the priority of 1 session?' });
      await dialog.getByLabel('Priority', { exact: true }).selectOption('backfill');
      await shown.look('list-priority');
      await dialog.getByRole('button', { name: 'Change priority of 1 session' }).click();
      await dialog.getByText('1 done').waitFor();
      expect(await dialog.getByLabel('Priority', { exact: true }).isDisabled()).toBe(true);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await row('Lysozyme <img').getByRole('link').first().click();
      await shown.page.locator('[data-testid="facts"]', { hasText: 'backfill' }).waitFor();
    });

    it('cancels selected sessions after a confirmation with their number, and reports each outcome', async () => {
      await shown.go('sessions');
      for (const title of ['Lysozyme <img', 'Proteinase K', 'Insulin']) await row(title).getByRole('checkbox').check();
      await shown.page.getByTestId('bulk').getByText('3 selected').waitFor();
      await shown.look('list-marked');
      await button('Cancel 2…').click();
      const dialog = shown.page.getByRole('dialog', { name: 'Cancel 2 sessions?' });
      await dialog.waitFor();
      await shown.look('list-question');
      await shown.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await button('Cancel 2…').click();
      await dialog.getByRole('button', { name: 'Cancel 2 sessions' }).click();
      await dialog.getByText('2 done').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await row('Proteinase K')
        .getByText(/Cancell/)
        .waitFor();
      expect(await shown.page.title()).not.toBe('owned');
    });

    it('resumes failed sessions, and selects a whole page by keyboard', async () => {
      // The focus stays where it is when the definitions of metrics arrive.
      let release = (): void => undefined;
      const held = new Promise<void>((done) => {
        release = done;
      });
      await shown.page.route('**/v1/metrics', async (route) => {
        await held;
        await route.continue();
      });
      const metrics = shown.page.waitForResponse('**/v1/metrics');
      await shown.go('sessions?outcome=failed_science&submitter=bob');
      await row('Thaumatin').waitFor();
      await shown.page.getByRole('checkbox', { name: 'Select all sessions on this page' }).focus();
      release();
      await (await metrics).finished();
      await shown.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      await shown.page.keyboard.press('Space');
      await button('Retry 1…').click();
      await button('Retry 1 session').click();
      await shown.page.getByRole('dialog').getByText('1 done').waitFor();
      await button('Close').click();
      await shown.page.getByText('No session matches these filters.').waitFor();
    });
  });

  describe('with a batch', () => {
    it('finds it in the list of batches', async () => {
      await shown.go('batches');
      const listed = shown.page.locator(`tr[data-batch="${batch}"]`);
      await listed.waitFor();
      expect(await listed.innerText()).toMatch(/Fragment campaign 3.*44.*Solved.*No solution/s);
      await shown.look('batches');
      await listed.getByRole('link').click();
      await shown.page.getByRole('heading', { name: 'Fragment campaign 3' }).waitFor();
    });

    it('shows datasets by outcome, and the distribution of values', async () => {
      await shown.go(`batches/${batch}`);
      const solved = shown.page.locator('[data-kind="solved"]');
      await solved.waitFor();
      expect(await solved.locator('[data-testid="square"]').count()).toBeGreaterThan(15);
      expect(await shown.page.locator('[data-kind="rejected"] [data-testid="square"]').count()).toBe(4);
      await shown.page.locator('[data-kind="distribution"] canvas').nth(1).waitFor();
      expect(await shown.page.getByTestId('distributions').innerText()).toMatch(/R-free of \d+ datasets: 0\.2/);
      await solved.getByRole('link').first().focus();
      await shown.page.keyboard.press('Tab');
      await shown.page.keyboard.press('ArrowRight');
      expect(await shown.page.evaluate('document.activeElement.getAttribute("aria-label")')).toMatch(
        /Mpro-x\d+: Solved/,
      );
      await shown.look('batch');
    });

    it('has a hit list, best first, with sort and filter in the URL', async () => {
      await shown.go(`batches/${batch}`);
      const first = shown.page.locator('[data-testid="hits"] tbody tr').first();
      await first.waitFor();
      expect(await first.innerText()).toMatch(/Solved.*0\.2\d/s);
      await shown.page.getByTestId('hits').getByRole('link', { name: 'Row', exact: true }).click();
      await shown.page.waitForURL(/sort=row/);
      await shown.page.locator('[data-testid="hits"] tbody tr:first-child[data-row="1"]').waitFor();
      await shown.page.locator('[data-kind="rejected"] > a').click();
      await shown.page.waitForURL(/show=rejected/);
      await shown.page.reload();
      await first.waitFor();
      expect(await shown.page.locator('[data-testid="hits"] tbody tr').count()).toBe(4);
      expect(await first.innerText()).toContain('does not exist');
      const download = shown.page.waitForEvent('download');
      await button('Table (CSV)').click();
      expect((await download).suggestedFilename()).toBe(`batch-${batch}.csv`);
    });

    it('groups failures by reason', async () => {
      await shown.go(`batches/${batch}`);
      await shown.page.getByRole('tab', { name: /Failures/ }).click();
      await shown.page.waitForURL(/view=failures/);
      const groups = shown.page.getByTestId('failure');
      await groups.first().waitFor();
      const texts = await groups.allInnerTexts();
      expect(texts.length).toBe(4);
      expect(texts.join('\n')).toMatch(/4 rows\s*files\[0\]: .*x6\.sca" does not exist/s);
      await shown.look('batch-failures');
    });

    it('pauses and resumes it', async () => {
      const id = await waitingBatch(shown);
      await shown.go(`batches/${id}`);
      await button('Pause').click();
      await button('Pause the batch').click();
      await button('Resume').click();
      await button('Resume the batch').click();
      await button('Pause').waitFor();
      const answer = await fetch(`${shown.gateway.url}/v1/batches/${id}`);
      expect(await answer.json()).toMatchObject({ status: 'open' });
    });

    it('reruns failed rows, and confirms before it cancels', async () => {
      await shown.go(`batches/${batch}`);
      await button('Retry failed rows…').click();
      await button(/^Retry \d+ rows$/).click();
      await shown.page
        .getByRole('dialog')
        .getByText(/\d+ rows retried/)
        .waitFor();
      await button('Close').click();
      await button('Cancel…').click();
      await shown.page
        .getByRole('dialog')
        .getByText(/cannot be resumed/)
        .waitFor();
      await button('Keep unchanged').click();
      const answer = await fetch(`${shown.gateway.url}/v1/batches/${batch}`);
      expect(await answer.json()).toMatchObject({ status: 'open' });
    });
  });
});
