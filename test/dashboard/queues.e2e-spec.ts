import { anId, useStarted } from '@fleet/testing';
import type { Page } from 'playwright-core';
import { ShownBrowser } from './shown-browser';
import { addJob, failStep, openQueue } from './shown-operations';

// @needs chromium

describe('the page of the queues', () => {
  const shown = useStarted('file', () => ShownBrowser.start());
  let staff: Page;
  let user: Page;
  let own: string;
  const requests: string[] = [];
  const idOf = (sessionId: string, version: number): string => `${sessionId}-v${String(version)}-w0`;

  /** A job that failed for good, some that wait, and one that is tried again later. */
  const fill = async (): Promise<void> => {
    await failStep(shown, await shown.sessions.fresh('Insulin'), 5);
    const [decisions, executions] = [openQueue(shown, 'decisions'), openQueue(shown, 'executions')];
    own = await shown.sessions.fresh('Lysozyme');
    await addJob(decisions, 'decide', own, 1);
    await addJob(decisions, 'decide', own, 7);
    await addJob(decisions, 'decide', anId(), 1);
    for (let at = 0; at < 60; at += 1) await addJob(executions, 'execute', anId(), 2);
    await addJob(executions, 'execute', own, 3, { delay: 600_000, attempts: 5 });
    await Promise.all([decisions.close(), executions.close()]);
  };

  beforeAll(async () => {
    await fill();
    const admin = await shown.makeKey('admin');
    await shown.enter(shown.page, admin.key, 'operations');
    [staff, user] = [await shown.newPage(), await shown.newPage()];
    user.on('request', (request) => requests.push(request.url()));
    await shown.enter(staff, (await shown.makeKey('staff', { beamlines: ['i04'] })).key, 'sessions');
    await shown.enter(user, (await shown.makeKey('user', { proposals: ['mx1234'] })).key, 'operations/queues');
  });

  const jobs = (page: Page) => page.getByTestId('jobs').locator('tbody tr');

  it('shows users a message, and requests nothing for them', async () => {
    await user.getByText('This page is for staff and administrators').waitFor();
    expect(requests.filter((address) => address.includes('/admin/'))).toEqual([]);
  });

  it('shows job counts by state, and lists the jobs of a state with their use', async () => {
    await shown.page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name: 'Queues' }).click();
    await shown.page.getByRole('link', { name: 'Waiting, executions: 60' }).waitFor();
    await jobs(shown.page).nth(2).waitFor();
    expect(await jobs(shown.page).getByTestId('relevance').allInnerTexts()).toEqual(['Due', 'Stale', 'Unknown']);
    await shown.look('queues');
  });

  it('shows a queue page by page, in the order given in the URL', async () => {
    await shown.page.getByRole('link', { name: 'Waiting, executions: 60' }).press('Enter');
    await shown.page.getByText('1 to 50 of 60').waitFor();
    await shown.page.getByRole('link', { name: 'Next' }).click();
    await shown.page.getByText('51 to 60 of 60').waitFor();
    const last = await jobs(shown.page).last().getAttribute('data-job');
    await shown.page.getByLabel('Order').selectOption('newest');
    await shown.page.getByText('1 to 50 of 60').waitFor();
    await shown.page.locator(`tbody tr:first-child[data-job="${String(last)}"]`).waitFor();
    await shown.page.reload();
    await shown.page.locator(`tbody tr:first-child[data-job="${String(last)}"]`).waitFor();
  });

  it('shows a job with payload and stack trace, and links to its session', async () => {
    await shown.page.getByRole('link', { name: 'Failed permanently, decisions: 1' }).click();
    await jobs(shown.page).first().getByRole('link').click();
    await shown.page.getByText('Stack trace').waitFor();
    const panel = shown.page.getByTestId('job');
    expect(await panel.innerText()).toMatch(
      /1 of 5.*knowledge\.invalid: <img.*"sessionVersion":1.*UnrecoverableError/s,
    );
    await shown.look('queues-job');
    expect(await shown.page.title()).not.toBe('owned');
    await panel.locator('[data-testid="facts"]').getByRole('link', { name: 'Insulin' }).click();
    await shown.page.getByRole('heading', { name: 'Insulin' }).waitFor();
    await shown.page.goBack();
    await shown.page.getByRole('link', { name: '← Job list' }).click();
    await jobs(shown.page).first().waitFor();
  });

  it('shows staff only jobs of their beamlines, without buttons', async () => {
    await staff.getByRole('navigation').getByRole('link', { name: 'Queues' }).click();
    await staff.getByText('1 hidden').waitFor();
    expect(await jobs(staff).count()).toBe(2);
    expect(await staff.getByRole('navigation', { name: 'Operations' }).getByRole('link').count()).toBe(1);
    await staff.getByRole('link', { name: 'Delayed, executions: 1' }).click();
    await jobs(staff).getByRole('link').click();
    await staff.getByTestId('job').getByText('Payload').waitFor();
    expect(await staff.getByRole('button', { name: 'Start now…' }).count()).toBe(0);
  });

  it('lets an administrator run a delayed job now, after a confirmation, and audits it', async () => {
    await shown.page.getByRole('link', { name: 'Delayed, executions: 1' }).click();
    await jobs(shown.page).getByRole('link').click();
    await shown.page.getByRole('button', { name: 'Start now…' }).click();
    await shown.look('queues-hasten');
    await shown.page.getByRole('button', { name: 'Start now', exact: true }).click();
    await shown.page.getByTestId('job').getByText('Waiting, executions').waitFor();
    await shown.page.getByRole('link', { name: 'Delayed, executions: 0' }).waitFor();
    await shown.page.getByRole('link', { name: 'Overview' }).click();
    const entry = shown.page.getByTestId('audit').locator('tbody tr', { hasText: `job ${idOf(own, 3)} of executions` });
    expect(await entry.innerText()).toMatch(/admin.*promotion.*done/s);
  });

  it('refers from a completed job to its session', async () => {
    await shown.go('operations/queues?queue=analyses&job=gone');
    await shown.page.getByText('This job is done and no longer').waitFor();
  });
});
