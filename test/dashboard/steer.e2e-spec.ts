import type { SessionView } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { waitingBatch } from './shown-batch';
import { ShownBrowser } from './shown-browser';
import { hostile } from './shown-sessions';

// @needs chromium

describe('steering a session', () => {
  const shown = useStarted('file', () => ShownBrowser.start());
  let running: string;
  let ended: string;

  beforeAll(async () => {
    running = (await shown.sessions.running('Trypsin, benzamidine', 'a line\n')).id;
    ended = await shown.sessions.ended('Thaumatin, wrong space group', 'program_failed');
  });

  const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
  const advice = () => shown.page.getByLabel('Advice in plain words');
  const steer = () => shown.page.getByTestId('steer');
  const address = (id: string): string => `${shown.gateway.url}/v1/sessions/${id}`;
  const sessionOf = async (id: string): Promise<SessionView> =>
    (await (await fetch(address(id))).json()) as SessionView;
  const adviseAsAnother = async (id: string, text: string): Promise<void> => {
    const tag = (await fetch(`${address(id)}/advice`)).headers.get('etag') ?? '';
    const answer = await fetch(`${address(id)}/advice`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-match': tag },
      body: JSON.stringify({ advice: text }),
    });
    expect(answer.status).toBe(200);
  };

  it('advises a running session, and shows the interpretation', async () => {
    await shown.go(`sessions/${running}`);
    await button('Change advice').click();
    await advice().fill('use data to 2.5 Å');
    await shown.page.getByTestId('understood').locator('[data-testid="understood-yes"]').first().waitFor();
    await shown.look('session-advice');
    await button('Send advice').click();
    await steer().getByText('Sent. It takes effect at the next decision.').waitFor();
    await shown.page.locator('[data-testid="asked"] q', { hasText: 'use data to 2.5 Å' }).waitFor();
    expect((await sessionOf(running)).guidance).toMatchObject({ revision: 2, reading: { text: 'use data to 2.5 Å' } });
  });

  it('keeps the typed text after a concurrent change, and overwrites nothing unseen', async () => {
    await shown.go(`sessions/${running}`);
    await button('Change advice').click();
    await advice().fill('refine twice and stop');
    await shown.page.reload();
    expect(await advice().inputValue()).toBe('refine twice and stop');
    // Between the click and its arrival: the page cannot know of it before.
    let others: Promise<void> | undefined;
    await shown.page.route(/\/advice$/, async (route) => {
      if (route.request().method() === 'PUT') await (others ??= adviseAsAnother(running, `use data to 3 Å ${hostile}`));
      await route.continue();
    });
    await button('Send advice').click();
    await steer()
      .getByRole('alert')
      .getByText(/revision 3. Your text was not sent/)
      .waitFor();
    await steer().locator('q', { hasText: 'use data to 3 Å <img' }).waitFor();
    expect(await advice().inputValue()).toBe('refine twice and stop');
    expect((await sessionOf(running)).guidance?.revision).toBe(3);
    await shown.look('session-advice-overtaken');
    await button('Replace their advice').click();
    await shown.page.locator('[data-testid="asked"] q', { hasText: 'refine twice and stop' }).waitFor();
    expect((await sessionOf(running)).guidance).toMatchObject({ revision: 4 });
    await shown.page.unrouteAll();
    expect(await shown.page.title()).not.toBe('owned');
  });

  it('shows advice as sent after a lost response', async () => {
    await shown.go(`sessions/${running}`);
    await shown.page.route(/\/advice$/, async (route) => {
      if (route.request().method() === 'PUT') await route.fetch();
      await route.abort();
    });
    await button('Change advice').click();
    await advice().fill('refine three times');
    await button('Send advice').click();
    await steer()
      .getByText(/^Sent\./)
      .waitFor();
    expect(await advice().count()).toBe(0);
    expect(await steer().getByRole('alert').count()).toBe(0);
    expect((await sessionOf(running)).guidance).toMatchObject({ revision: 5 });
    await shown.page.unrouteAll();
  });

  it('resumes an ended session, with or without advice', async () => {
    await shown.go(`sessions/${ended}`);
    await button('Change advice and resume').click();
    expect(await button('Send and resume').isDisabled()).toBe(true);
    await advice().fill('use space group P 2 21 21');
    await button('Send and resume').click();
    await steer().getByText('Sent. The session continues with its next cycle.').waitFor();
    expect(await sessionOf(ended)).toMatchObject({ status: 'running', cycle: 4 });
    const other = await shown.sessions.ended('Trypsin, node lost', 'infrastructure');
    await shown.go(`sessions/${other}`);
    await shown.look('session-ended');
    await button('Resume unchanged').click();
    await button('Change advice').waitFor();
    expect(await sessionOf(other)).toMatchObject({ status: 'running', cycle: 4 });
  });

  it('resubmits a session with its inputs, and keeps an unfinished submission', async () => {
    const made = await shown.send<SessionView>('POST', '/v1/sessions', {
      files: [shown.gateway.reflections],
      title: 'Submitted before',
      proposal: 'mx1234',
      advice: 'use data to 2.5 Å',
      settings: { max_cycles: 7 },
    });
    await shown.go('submit');
    await shown.page.getByLabel('Title').fill('Something else');
    await shown.go(`sessions/${made.id}`);
    const again = async (expected: string): Promise<void> => {
      await shown.page.getByRole('link', { name: 'Resubmit with changes' }).click();
      await shown.page.getByTestId('picked').getByText('data.sca').first().waitFor();
      expect(await advice().inputValue()).toBe(expected);
    };
    await again('use data to 2.5 Å');
    await adviseAsAnother(made.id, 'use data to 2.4 Å');
    await shown.page.goBack();
    await again('use data to 2.4 Å');
    await shown.page.locator('summary', { hasText: 'Settings' }).click();
    expect(await shown.page.getByLabel('max cycles').inputValue()).toBe('7');
    await shown.page.getByLabel('max cycles').fill('9');
    await shown.page.getByTestId('entries').getByRole('link').first().click();
    await shown.page.waitForURL(/folder=.*from=|from=.*folder=/);
    await shown.page.getByTestId('reading').getByText('Everything is valid.').waitFor();
    await shown.look('submit-again');
    await button('Submit').click();
    await shown.page.waitForURL(/sessions\/[0-9a-z]{26}/);
    const id = /sessions\/([0-9a-z]{26})/.exec(shown.page.url())?.[1] ?? '';
    expect(id).not.toBe(made.id);
    expect((await sessionOf(id)).request).toMatchObject({ title: 'Submitted before', settings: { max_cycles: 9 } });
    await shown.go('submit');
    expect(await shown.page.getByLabel('Title').inputValue()).toBe('Something else');
  });

  it('changes the priority of a session, if the site allows it', async () => {
    await shown.go(`sessions/${running}`);
    const pick = async (priority: string): Promise<void> => {
      await button('Priority…').click();
      await shown.page.getByLabel('Priority', { exact: true }).selectOption(priority);
      await button('Change priority of 1 session').click();
    };
    await pick('live');
    await shown.page
      .getByRole('dialog')
      .getByText(/does not allow for proposal mx1234/)
      .waitFor();
    await button('Close').click();
    await pick('backfill');
    await shown.page.getByRole('dialog').getByText('1 done').waitFor();
    await button('Close').click();
    await shown.page.locator('[data-testid="facts"]', { hasText: 'backfill' }).waitFor();
    expect((await sessionOf(running)).request.priority).toBe('backfill');
  });

  it('cancels a session on its page, after a confirmation', async () => {
    await shown.go(`sessions/${running}`);
    await button('Cancel…').click();
    await shown.page.getByRole('dialog').getByRole('button', { name: 'Cancel 1 session' }).click();
    await shown.page.getByRole('dialog').getByText('1 done').waitFor();
    await button('Close').click();
    await shown.page.locator('[data-testid="head"]', { hasText: /Cancell/ }).waitFor();
    expect(['cancelling', 'cancelled']).toContain((await sessionOf(running)).status);
  });

  it('changes the priority of rows without a session', async () => {
    const id = await waitingBatch(shown);
    await shown.go(`batches/${id}`);
    await button('Priority…').click();
    await shown.page.getByLabel('Priority', { exact: true }).selectOption('backfill');
    await shown.look('batch-priority');
    await button('Change priority').click();
    await shown.page
      .getByRole('dialog')
      .getByText(/backfill/)
      .last()
      .waitFor();
    await button('Close').click();
    const answer = await fetch(`${shown.gateway.url}/v1/batches/${id}`);
    expect(await answer.json()).toMatchObject({ priority: 'backfill' });
  });

  it('offers nothing to a read-only key', async () => {
    await shown.makeKey('admin');
    const { key } = await shown.makeKey('staff', { beamlines: ['i04'], scopes: ['read'] });
    const page = await shown.newPage();
    await shown.enter(page, key, `sessions/${running}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByTestId('steer').count()).toBe(0);
  });
});
