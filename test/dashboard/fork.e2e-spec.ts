import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SessionView } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { ShownBrowser } from './shown-browser';

// @needs chromium

describe('a fork in the dashboard', () => {
  const shown = useStarted('file', () => ShownBrowser.start());

  const sessionOf = async (id: string): Promise<SessionView> =>
    (await (await fetch(`${shown.gateway.url}/v1/sessions/${id}`)).json()) as SessionView;
  const outputsOf = async (id: string): Promise<readonly string[]> =>
    (await sessionOf(id)).cycles.flatMap(({ result }) => (result?.outputs ?? []).map(({ path }) => path));
  const aSolved = async (title: string): Promise<string> => {
    const id = await shown.sessions.solved(title, { pinned: false });
    for (const path of (await outputsOf(id)).filter((one) => !existsSync(one))) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'ATOM\n');
    }
    return id;
  };
  const openFork = async (id: string, cycle: number): Promise<void> => {
    await shown.go(`sessions/${id}`);
    const card = shown.page.locator(`#cycle-${String(cycle)}`);
    await card.locator('summary').first().click();
    await card.getByRole('link', { name: 'Fork from here…' }).click();
    await shown.page.getByRole('heading', { name: 'Fork a session' }).waitFor();
  };
  const send = (cycle: number) => shown.page.getByRole('button', { name: `Fork after cycle ${String(cycle)}` });

  it('continues after a finished cycle with the changes, and links to its origin', async () => {
    const id = await aSolved('MDM2 with nutlin-3a');
    await openFork(id, 3);
    expect(await shown.page.getByLabel('Title').inputValue()).toBe('MDM2 with nutlin-3a');
    const advice = shown.page.getByLabel('Advice in plain words');
    expect(await advice.inputValue()).toContain('refine twice, then stop');
    await advice.fill('use data to 2.5 Å');
    await shown.page.getByLabel('Title').fill('MDM2, less data');
    await shown.page.locator('summary', { hasText: 'Settings' }).click();
    await shown.page.getByLabel('max cycles').fill('9');
    await shown.page.reload();
    expect(await advice.inputValue()).toBe('use data to 2.5 Å');
    await shown.page.getByTestId('understood').locator('[data-testid="understood-yes"]').first().waitFor();
    await shown.look('fork');
    await send(3).click();
    await shown.page.waitForURL(/sessions\/[0-9a-z]{26}/);
    await shown.page.getByRole('heading', { name: 'MDM2, less data' }).waitFor();
    const made = /sessions\/([0-9a-z]{26})/.exec(shown.page.url())?.[1] ?? '';
    const fork = await sessionOf(made);
    expect(fork).toMatchObject({
      status: 'running',
      cycle: 4,
      request: { forkedFrom: { session: id, afterCycle: 3 }, settings: { max_cycles: 9 } },
      guidance: { reading: { text: 'use data to 2.5 Å' } },
    });
    expect(fork.cycles).toHaveLength(3);
    expect((await sessionOf(id)).status).toBe('completed');
    await shown.go('sessions');
    const mark = shown.page.getByRole('link', { name: `Fork after cycle 3 of session ${id}` });
    await mark.waitFor();
    expect(await mark.count()).toBe(1);
    await shown.look('sessions-fork');
    await mark.click();
    await shown.page.locator('#cycle-3[open] [data-testid="command"]').waitFor();
    await shown.go(`sessions/${made}`);
    await shown.page
      .locator('[data-testid="facts"]', { hasText: 'after cycle 3' })
      .getByRole('link', { name: id })
      .click();
    await shown.page.getByRole('heading', { name: 'MDM2 with nutlin-3a' }).waitFor();
  });

  it('reports a missing file, and keeps the typed text', async () => {
    const id = await aSolved('Trypsin, tidied up');
    for (const path of await outputsOf(id)) rmSync(path);
    await openFork(id, 6);
    await shown.page.getByLabel('Title').fill('Trypsin, once more');
    await send(6).click();
    await shown.page
      .getByRole('alert')
      .getByText(/no longer exists.* Nothing was started/)
      .waitFor();
    expect(await shown.page.getByLabel('Title').inputValue()).toBe('Trypsin, once more');
  });

  it('is not offered for a running cycle, nor to read-only users', async () => {
    const { id } = await shown.sessions.running('Thaumatin', 'a line\n');
    await shown.go(`sessions/${id}`);
    await shown.page.locator('#cycle-5 [data-testid="command"]').waitFor();
    await shown.page.locator('#cycle-4 summary').first().click();
    await shown.page.locator('#cycle-4').getByRole('link', { name: 'Fork from here…' }).waitFor();
    expect(await shown.page.locator('#cycle-5').getByRole('link', { name: 'Fork from here…' }).count()).toBe(0);
    await shown.makeKey('admin');
    const { key } = await shown.makeKey('staff', { beamlines: ['i04'], scopes: ['read'] });
    const page = await shown.newPage();
    await shown.enter(page, key, `sessions/${id}`);
    await page.locator('#cycle-4 summary').first().click();
    await page.locator('#cycle-4 [data-testid="command"]').waitFor();
    expect(await page.getByRole('link', { name: 'Fork from here…' }).count()).toBe(0);
  });
});
