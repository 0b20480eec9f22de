import { useStarted } from '@fleet/testing';
import type { Page } from 'playwright-core';
import { ShownBrowser } from './shown-browser';
import { failStep, fillOperations } from './shown-operations';
import { hostile } from './shown-sessions';

// @needs chromium

describe('the page of administrators', () => {
  const shown = useStarted('file', () => ShownBrowser.start());
  let user: Page;
  let stuck: string;
  const requests: string[] = [];

  beforeAll(async () => {
    await fillOperations(shown);
    stuck = await shown.sessions.fresh('Insulin');
    await failStep(shown, stuck);
    const admin = await shown.makeKey('admin');
    await shown.send('PUT', '/v1/admin/shares', {
      policy: {
        maxPerProposal: 40,
        maxLive: 8,
        liveAllowedFor: ['i04'],
        proposals: { mx1234: { weight: 2, maxRunning: 60 } },
      },
    });
    const ada = await shown.makeKey('user', { proposals: ['mx1234'] });
    user = await shown.newPage();
    user.on('request', (request) => requests.push(request.url()));
    await shown.enter(user, ada.key, 'operations');
    await shown.enter(shown.page, admin.key, 'sessions');
  });

  const part = (name: string) => shown.page.getByTestId(name);
  const button = (name: string | RegExp) => shown.page.getByRole('button', { name });
  const banner = (page: Page) => page.getByTestId('launch-banner');

  it('shows other roles a message, and requests nothing for them', async () => {
    await user.getByText('You are logged in as user with the role user').waitFor();
    expect(await user.getByRole('navigation').getByRole('link', { name: 'Operations' }).count()).toBe(0);
    expect(requests.filter((address) => address.includes('/admin/'))).toEqual([]);
    await shown.look('operations-refused', user);
  });

  it('shows running and waiting programs by node class and user', async () => {
    await shown.page.getByRole('navigation').getByRole('link', { name: 'Operations' }).click();
    await part('now').getByText('3 programs run').waitFor();
    expect(await part('now').innerText()).toMatch(/\(cpu 2, gpu 1\), 2 waiting, the oldest since/);
    expect(await part('now').locator('[data-proposal="mx1234"]').innerText()).toMatch(/mx1234\s*3\s*0/);
    const other = part('now').locator('[data-proposal="mx77"]');
    expect(await other.innerText()).toMatch(/mx77\s*0\s*2\s*Trypsin.*all 2 places for programs are taken/s);
  });

  it('shows the state of database, Redis, queues and programs', async () => {
    const probe = (name: string) => part('health').locator(`[data-probe="${name}"]`);
    await probe('redis').waitFor();
    expect(await probe('redis').innerText()).toMatch(/Healthy.*ping [\d.]+ ms.*· durable$/s);
    expect(await probe('programs').innerText()).toMatch(/Unhealthy.*no executor has published its programs/s);
    expect(await part('health').locator('[data-probe]').count()).toBe(5);
  });

  it('shows the shares', async () => {
    await part('shares').locator('[data-share="mx1234"]').waitFor();
    expect(await part('shares').innerText()).toMatch(/Set by an administrator \(admin\).*40 programs of one proposal/s);
    expect(await part('shares').locator('[data-share="mx1234"]').innerText()).toMatch(/mx1234\s*2\s*60/);
  });

  it('pauses launches with a reason that users see, and resumes them', async () => {
    await user.goto(`${shown.gateway.url}/ui/sessions`);
    await user.getByTestId('counters').waitFor();
    expect(await banner(user).count()).toBe(0);
    await button('Pause…').click();
    await shown.page.getByLabel('Reason in one sentence').fill(`the file server is changed until 10:00 ${hostile}`);
    await shown.look('operations-pause');
    await button('Pause launches').click();
    await part('launches').locator('[data-launches="paused"]').waitFor();
    await user.reload();
    await banner(user).filter({ hasText: 'the file server is changed until 10:00 <img' }).waitFor();
    await shown.look('sessions-banner', user);
    await shown.page.getByRole('heading', { name: 'Operations', level: 1 }).click();
    await shown.look('operations');
    await button('Resume…').click();
    await button('Resume launches').click();
    await part('launches').locator('[data-launches="open"]').waitFor();
    await user.reload();
    await user.getByTestId('counters').waitFor();
    expect(await banner(user).count()).toBe(0);
    expect(await user.title()).not.toBe('owned');
  });

  it('shows maintenance on every page, before and during the window, and stops launches', async () => {
    const notice = (page: Page) => page.getByTestId('maintenance-banner');
    const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    const text = `the file server is moved ${hostile}`;
    const { id } = await shown.send<{ id: string }>('POST', '/v1/admin/maintenance', {
      from: at(24),
      until: at(28),
      text,
    });
    for (const page of ['sessions', 'batches', 'submit', 'wall']) {
      await user.goto(`${shown.gateway.url}/ui/${page}`);
      await notice(user).filter({ hasText: 'the file server is moved <img' }).waitFor();
      expect(await notice(user).innerText()).toMatch(/^Maintenance .* UTC: .* From .* on no programs are started; /);
    }
    await shown.send('PUT', `/v1/admin/maintenance/${id}`, { from: at(-1), until: at(3) });
    await user.goto(`${shown.gateway.url}/ui/sessions`);
    await notice(user)
      .filter({ hasText: '. No programs are started; what waits starts by itself afterwards.' })
      .waitFor();
    // It is shown once.
    await user.getByTestId('counters').waitFor();
    expect(await banner(user).count()).toBe(0);
    await shown.look('sessions-maintenance', user);
    await shown.page.reload();
    await part('launches').getByText('A maintenance window').waitFor();
    expect(await button('Resume…').count()).toBe(0);
    await shown.look('operations-maintenance');
    await shown.send('POST', `/v1/admin/maintenance/${id}/cancellation`, {});
    await user.reload();
    await user.getByTestId('counters').waitFor();
    expect(await notice(user).count()).toBe(0);
    expect(await user.title()).not.toBe('owned');
  });

  it('removes orphans that were seen twice, after a confirmation with their number', async () => {
    await part('orphans').getByText('seen once').waitFor();
    await button('Remove 2…').click();
    await button('Keep unchanged').click();
    await button('Remove 2…').click();
    await button('Remove 2 runs').click();
    await part('orphans').getByText('being removed').nth(1).waitFor();
    expect(await button('Remove 0…').isDisabled()).toBe(true);
  });

  it('retries dead steps after a confirmation', async () => {
    const row = part('dead-steps').locator('[data-cause="knowledge.invalid"]');
    await row.getByText('decisions').waitFor();
    expect(await part('dead-steps').locator(`[data-step^="${stuck}"]`).innerText()).toMatch(/woken again.*<img/s);
    await shown.look('operations-dead-steps');
    await row.getByRole('button', { name: 'Retry…' }).click();
    await button('Retry steps').click();
    await part('dead-steps').getByText('1 step retried.').waitFor();
    await part('dead-steps').getByText('No dead steps.').waitFor();
    expect(await shown.page.title()).not.toBe('owned');
  });

  it('shows the audit log, also of one user', async () => {
    await shown.page.reload();
    const entry = (text: string) => part('audit').locator('tbody tr', { hasText: text }).first();
    await entry('orphans').waitFor();
    expect(await entry('PUT /v1/admin/launch').innerText()).toMatch(/admin.*launches.*done/s);
    await part('audit').getByLabel('User', { exact: true }).fill('nobody.of.them');
    await part('audit').getByLabel('User', { exact: true }).press('Enter');
    await shown.page.waitForURL(/who=nobody/);
    await part('audit').getByText('No entries yet.').waitFor();
    await shown.page.goBack();
    await entry('PUT /v1/admin/launch').waitFor();
    const file = shown.page.waitForEvent('download');
    await button('Table (CSV)').click();
    expect((await file).suggestedFilename()).toBe('audit.csv');
  });
});
