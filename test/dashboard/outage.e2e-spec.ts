import { freePort, useStarted } from '@fleet/testing';
import type { Page } from 'playwright-core';
import { ShownBrowser } from './shown-browser';
import { tracedSession } from './shown-trace';

// @needs chromium

describe('an open page during an outage', () => {
  const shown = useStarted('file', async () => ShownBrowser.start({ port: await freePort() }));
  let list: Page;
  let trace: Page;
  let id: string;
  beforeAll(async () => {
    id = await tracedSession(shown, { title: 'Insulin', cycles: 2, asked: 0, isRunning: true });
    [list, trace] = [await shown.newPage(), await shown.newPage()];
    await list.goto(`${shown.gateway.url}/ui/sessions`);
    await trace.goto(`${shown.gateway.url}/ui/sessions/${id}?view=trace`);
  });

  const badge = (page: Page, text: string) => page.getByTestId('live').filter({ hasText: text });
  const row = (title: string) => list.locator('[data-testid="sessions"] tbody tr', { hasText: title });
  const areLive = () => Promise.all([badge(list, 'Live').waitFor(), badge(trace, 'Live').waitFor()]);

  it('reports the missing database, keeps its content, and recovers without a gap', async () => {
    await areLive();
    await row('Insulin').waitFor();
    await trace.locator('[data-path="2"]').waitFor();
    await shown.gateway.servers.postgres.kill();
    await Promise.all([badge(list, 'Stale since').waitFor(), badge(trace, 'Stale since').waitFor()]);
    expect(await row('Insulin').count()).toBe(1);
    expect(await trace.locator('[data-path="2"]').count()).toBe(1);
    await shown.gateway.servers.postgres.restart();
    await shown.sessions.fresh('Submitted as soon as it was back');
    await areLive();
    await row('Submitted as soon as it was back').waitFor();
  });

  it('reports an outage of gateway and database together', async () => {
    await areLive();
    await Promise.all([shown.gateway.vanish(), shown.gateway.servers.postgres.kill()]);
    await Promise.all([badge(list, 'Stale since').waitFor(), badge(trace, 'Stale since').waitFor()]);
    await shown.gateway.servers.postgres.restart();
    await shown.sessions.fresh('Submitted while both were away');
    await shown.gateway.comeBack();
    await areLive();
    await row('Submitted while both were away').waitFor();
    await trace.locator('[data-path="2"]').click();
    await trace.getByTestId('operation').waitFor();
  });

  it("computes ages with the gateway's clock", async () => {
    const page = await shown.newPage();
    await page.addInitScript('const real = Date.now; Date.now = () => real() + 7 * 3600_000;');
    await page.goto(`${shown.gateway.url}/ui/sessions`);
    const submitted = page.locator('[data-testid="sessions"] tbody tr', { hasText: 'Submitted while both were away' });
    await submitted.waitFor();
    expect(await submitted.locator('[data-column="updated"]').innerText()).toMatch(/^(now|\d+ s ago|[12] min ago)/);
    await page.context().close();
  });
});
