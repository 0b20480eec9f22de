import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionPage, SessionView } from '@fleet/contracts/sessions';
import { aModel, someReflections } from '../api/gateway-harness';
import { ShownBrowser } from './shown-browser';

// @needs chromium

describe('the submit page', () => {
  let shown: ShownBrowser;
  beforeAll(async () => {
    shown = await ShownBrowser.start();
    const folder = join(shown.gateway.root, 'data/crystal 7');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'data.sca'), someReflections);
    writeFileSync(join(folder, 'model.pdb'), aModel);
    writeFileSync(join(folder, 'collection.log'), 'nothing of interest');
    writeFileSync(join(folder, '<img src=x onerror=alert(1)>.pdb'), aModel);
  });
  afterAll(async () => {
    await shown.stop({ mayFailToLoad: false });
  });

  beforeEach(async () => {
    await shown.go('submit');
    await shown.page.evaluate('sessionStorage.clear()');
  });

  const button = (name: string | RegExp) => shown.page.getByRole('button', { name });
  const entries = () => shown.page.getByTestId('entries');
  const allRight = () => shown.page.getByTestId('reading').getByText('Everything is valid.');
  const openFolder = async (): Promise<void> => {
    await shown.go('submit');
    await entries().getByText(join(shown.gateway.root, 'data'), { exact: true }).click();
    await entries().getByText('crystal 7').click();
    await entries().getByText('data.sca').waitFor();
  };
  const pickFiles = async (): Promise<void> => {
    await openFolder();
    await shown.page.getByRole('checkbox', { name: 'Add data.sca' }).check();
    await shown.page.getByRole('checkbox', { name: 'Add model.pdb' }).check();
  };
  const setCycles = (typed: string) => shown.page.getByLabel('max cycles').fill(typed);
  const advice = () => shown.page.getByLabel('Advice in plain words');

  it('selects files from server folders, and shows their categories', async () => {
    await pickFiles();
    expect(await entries().innerText()).not.toContain('collection.log');
    await button('Show every file').click();
    await entries().getByText('collection.log').waitFor();
    const picked = shown.page.getByTestId('picked');
    await picked.getByText('scalepack').first().waitFor();
    await picked.getByText('pdb', { exact: true }).first().waitFor();
    await allRight().waitFor();
  });

  it('accepts ligands without a file, and marks invalid SMILES', async () => {
    await pickFiles();
    const smiles = shown.page.getByLabel('SMILES', { exact: true });
    await shown.page.getByLabel('Codes').fill('NAG, NDG');
    await smiles.fill('CN1C(=O)C=Cc2ccccc12 LIG\nCC(C');
    await shown.page.getByTestId('reading').getByText('its brackets do not close').waitFor();
    await smiles.fill('CN1C(=O)C=Cc2ccccc12 LIG');
    await allRight().waitFor();
    await button('Submit').click();
    await shown.page.getByText('NAG, NDG, LIG (from SMILES)').first().waitFor();
  });

  it('shows interpretation and problems during typing', async () => {
    await pickFiles();
    await advice().fill('use data to 2.5 Å, then stop after refinement');
    await shown.page.getByTestId('understood').locator('[data-testid="understood-yes"]').first().waitFor();
    await shown.page.getByText('Settings', { exact: true }).click();
    await setCycles('500');
    await shown.page.getByTestId('reading').getByText('settings.max_cycles').waitFor();
    expect(await button('Submit').isDisabled()).toBe(true);
    await shown.look('submit');
    await setCycles('5');
    await allRight().waitFor();
  });

  it('announces the file inspection, also to screen readers', async () => {
    await pickFiles();
    await allRight().waitFor();
    const readings = '**/v1/submissions/preview';
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await shown.page.route(readings, async (route) => {
      await held;
      await route.continue();
    });
    await advice().fill('stop after refinement');
    const looking = shown.page.getByRole('status', { name: 'Reading the files…' });
    await looking.waitFor();
    await shown.look('submit-looking');
    release();
    await looking.waitFor({ state: 'detached' });
    await shown.page.unroute(readings);
    await allRight().waitFor();
  });

  it('keeps typed text over a reload, and submits it once', async () => {
    await pickFiles();
    await advice().fill('use data to 2.5 Å, then stop after refinement');
    await shown.page.getByText('Settings', { exact: true }).click();
    await setCycles('5');
    await shown.page.reload();
    expect(await advice().inputValue()).toContain('2.5 Å');
    await shown.page.getByLabel('Title').fill('Submitted by browsing');
    await shown.page.getByLabel('Proposal').fill('mx1234');
    await allRight().waitFor();
    await shown.look('submit-right');
    // The button can be pressed once what was typed last has been looked into.
    await button('Submit').click();
    await shown.page.waitForURL(/sessions\/[0-9a-z]{26}/);
    const id = /sessions\/([0-9a-z]{26})/.exec(shown.page.url())?.[1] ?? '';
    const session = (await (await fetch(`${shown.gateway.url}/v1/sessions/${id}`)).json()) as SessionView;
    expect(session.request).toMatchObject({ title: 'Submitted by browsing', settings: { max_cycles: 5 } });
    expect(session.request.inputs).toHaveLength(2);
    await shown.go('submit');
    expect(await advice().inputValue()).toBe('');
  });

  it('checks the rows of a manifest, corrects one and submits them', async () => {
    const folder = join(shown.gateway.root, 'data/campaign');
    mkdirSync(folder);
    const lines = Array.from({ length: 30 }, (_, at) => `x${String(at + 1)}.sca,row ${String(at + 1)}`);
    for (let file = 1; file <= 32; file += 1)
      if (file !== 6 && file !== 17) writeFileSync(join(folder, `x${String(file)}.sca`), someReflections);
    await shown.go('submit/manifest');
    await shown.page.locator('input[type="file"]').setInputFiles({
      name: 'rows.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`files,title\n${lines.join('\n')}\n`),
    });
    await shown.page.getByLabel('Base folder of relative paths').fill(folder);
    await shown.page.getByLabel('Batch title').fill('Thirty by manifest');
    await button('Check rows').click();
    const states = shown.page.getByTestId('states');
    await states.getByText('28 rows are valid, 2 are not.').waitFor();
    const wrong = states.locator('tr[data-state="rejected"]');
    await wrong.nth(1).waitFor();
    expect(await wrong.allInnerTexts()).toEqual([
      expect.stringMatching(/x6\.sca" does not exist/) as unknown,
      expect.stringMatching(/x17\.sca" does not exist/) as unknown,
    ]);
    await shown.look('manifest');
    const area = shown.page.getByLabel('Manifest', { exact: true });
    await area.fill((await area.inputValue()).replace('x6.sca', 'x31.sca').replace('x17.sca', 'x32.sca'));
    await shown.page.getByText('The manifest has changed since it was checked.').waitFor();
    await button('Check rows').click();
    await states.getByText('All 30 rows are valid.').waitFor();
    await button('Submit 30 rows').click();
    await shown.page.getByRole('heading', { name: 'Thirty by manifest' }).waitFor();
    await shown.page.getByTestId('batch-state').getByText('30 sessions under way').waitFor();
    const id = /batches\/([0-9a-z]{26})/.exec(shown.page.url())?.[1] ?? '';
    const made = (await (await fetch(`${shown.gateway.url}/v1/sessions?batch=${id}`)).json()) as SessionPage;
    expect(made.sessions).toHaveLength(30);
  });
});
