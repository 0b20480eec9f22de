import { useStarted } from '@fleet/testing';
import { ShownBrowser } from './shown-browser';
import { refined, sceneSession } from './shown-scene';

// @needs chromium

describe('the quality of a session, alone and compared', () => {
  const shown = useStarted('file', () => ShownBrowser.start());
  let solved: string;
  let failed: string;
  beforeAll(async () => {
    solved = await shown.sessions.solved();
    failed = await shown.sessions.ended('Thaumatin, wrong space group', 'program_failed');
  });

  const compared = () => shown.page.getByTestId('compare');

  it('rates numbers by the bands of the knowledge, and shows the evidence for the ligand', async () => {
    await shown.go(`sessions/${solved}`);
    await shown.page.getByRole('tab', { name: 'Validation' }).click();
    await shown.page.waitForURL(/view=validation/);
    const metric = (name: string) => shown.page.locator(`tr[data-metric="${name}"]`);
    await metric('r_free').waitFor();
    expect(await metric('r_free').innerText()).toMatch(
      /0\.2301\s*acceptable\s*≤ 0\.1940\s*≤ 0\.2410\s*refine, cycle 5/,
    );
    expect(await metric('clashscore').innerText()).toMatch(/3\.20\s*good\s*≤ 5\.00\s*≤ 10\.00\s*molprobity, cycle 7/);
    expect(await shown.page.getByTestId('ligands').innerText()).toMatch(/ligandfit, cycle 4\s*Ligand CC\s*0\.860/);
    const real = await sceneSession(shown, { title: 'B along the residues', files: [refined.model] });
    await shown.go(`sessions/${real}?view=validation`);
    await shown.page.locator('[data-testid="residues"] canvas').waitFor();
    await shown.look('session-validation');
  });

  it('compares two selected sessions of the list', async () => {
    await shown.go('sessions');
    for (const title of ['MDM2 with nutlin-3a', 'Thaumatin'])
      await shown.page.locator('[data-testid="sessions"] tbody tr', { hasText: title }).getByRole('checkbox').check();
    await shown.page.getByRole('link', { name: 'Compare 2' }).click();
    await shown.page.waitForURL(/compare\?left=[0-9a-z]{26}&right=[0-9a-z]{26}/);
    await compared().waitFor();
    expect(await compared().locator('tr[data-cycle]').count()).toBe(7);
    const third = compared().locator('tr[data-cycle="3"]');
    expect(await third.innerText()).toMatch(/R-work 0\.2511, R-free 0\.2902.*the space group of the model differs/s);
    await third.getByText('Command').first().click();
    await third.getByText("'/data/it'\\''s data.mtz'").first().waitFor();
    await shown.page.getByText('no such cycle').first().waitFor();
    await shown.look('compare');
    await shown.page.getByRole('link', { name: 'Swap sides' }).click();
    await compared().locator('thead th').first().getByText('Thaumatin').waitFor();
    await shown.page.reload();
    await compared().locator('thead th').first().getByText('Thaumatin').waitFor();
    expect(await shown.page.title()).not.toBe('owned');
  });

  it('asks for the second session on a session page', async () => {
    await shown.go(`sessions/${solved}`);
    await shown.page.getByRole('link', { name: 'Compare with another session' }).click();
    await shown.page.getByLabel('Right').fill('nothing');
    await shown.page.getByText('An id has 26 letters and digits.').waitFor();
    await shown.look('compare-ask');
    await shown.page.getByLabel('Right').fill(failed);
    await shown.page.getByRole('button', { name: 'Compare' }).click();
    await compared().waitFor();
    await shown.go(`compare?left=${solved}&right=${'0'.repeat(26)}`);
    await shown.page.getByText('Session not found').waitFor();
  });
});
