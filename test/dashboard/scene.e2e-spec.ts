import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileFacts } from '@fleet/contracts/sessions';
import { dataFile, modelFile } from '@fleet/testing';
import { testData } from '../e2e/standalone';
import { ShownBrowser } from './shown-browser';
import { hostileModel, refined, sceneSession } from './shown-scene';

// @needs chromium, PHENIX_FLEET_TEST_DATA

const modelOf = (atoms: number): FileFacts => modelFile('', { atoms }).facts;

describe('a model and its maps in 3D', () => {
  let shown: ShownBrowser;
  let nutlin: string;
  beforeAll(async () => {
    shown = await ShownBrowser.start();
    nutlin = await sceneSession(shown, { title: 'MDM2 with nutlin-3a', files: [refined.model, refined.map] });
  });
  afterAll(async () => {
    await shown.stop({ mayFailToLoad: false });
  });

  const scene = () => shown.page.getByTestId('scene');
  const frame = () => shown.page.locator('[data-testid="scene-frame"]');
  const map = (name: string) => shown.page.getByRole('switch', { name, exact: true });
  const open = (id: string): Promise<unknown> => shown.go(`sessions/${id}?view=3d`);
  const drawn = async (): Promise<void> => {
    await shown.page.locator('[data-testid="scene"][data-maps="density difference"][data-mapping="false"]').waitFor();
  };

  /** Once two pictures in a row are the same: whatever was under way has come to its end. */
  const picture = async (): Promise<string> => {
    let before = '';
    for (;;) {
      const now = (await frame().screenshot()).toString('base64');
      if (now === before) return now;
      before = now;
    }
  };

  /** The part of two pictures that differs, from 0 to 1; told by the browser, which reads them. */
  const difference = (one: string, other: string): Promise<number> =>
    shown.page.evaluate<number>(`(async () => {
      const read = async (base64) => {
        const image = new Image();
        image.src = 'data:image/png;base64,' + base64;
        await image.decode();
        const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data;
      };
      const [one, other] = [await read(${JSON.stringify(one)}), await read(${JSON.stringify(other)})];
      let differing = 0;
      for (let at = 0; at < one.length; at += 4)
        if ([0, 1, 2].some((part) => Math.abs(one[at + part] - other[at + part]) > 24)) differing += 1;
      return differing / (one.length / 4);
    })()`);

  it('draws the density: pictures with and without maps differ', async () => {
    await open(nutlin);
    await drawn();
    await shown.look('session-3d');
    const both = await picture();
    await map('mFo-DFc').uncheck();
    const density = await picture();
    await map('2mFo-DFc').uncheck();
    const model = await picture();
    expect(await difference(both, both)).toBe(0);
    expect(await difference(density, model)).toBeGreaterThan(0.05);
    expect(await difference(both, density)).toBeGreaterThan(0.003);
    await map('2mFo-DFc').check();
    await map('mFo-DFc').check();
    expect(await difference(both, await picture())).toBeLessThan(0.001);
  });

  it('lists the ligand and the difference peaks; a click moves to them', async () => {
    await open(nutlin);
    await drawn();
    const ligand = shown.page.getByRole('button', { name: 'NUT B 1', exact: true });
    const atLigand = await picture();
    const heights = (await shown.page.locator('[data-testid="peak"]').allInnerTexts()).map((text) =>
      Math.abs(Number(text.replace('−', '-'))),
    );
    expect(heights.length).toBeGreaterThan(5);
    expect(heights).toEqual(heights.toSorted((one, other) => other - one));
    await shown.page.locator('[data-testid="peak"]').first().click();
    expect(await difference(atLigand, await picture())).toBeGreaterThan(0.05);
    await ligand.click();
    await shown.page.getByRole('button', { name: 'Whole model' }).click();
    const whole = await picture();
    expect(await difference(atLigand, whole)).toBeGreaterThan(0.05);
    await frame().locator('canvas').focus();
    for (let turn = 0; turn < 5; turn += 1) await shown.page.keyboard.press('ArrowRight');
    expect(await difference(whole, await picture())).toBeGreaterThan(0.01);
  });

  it('uses one contour level for wheel and slider', async () => {
    await open(nutlin);
    await drawn();
    const slider = shown.page.getByRole('slider', { name: 'Level of 2mFo-DFc, in rms' });
    expect(await slider.inputValue()).toBe('1.5');
    await frame().locator('canvas').click();
    await shown.page.mouse.wheel(0, 1000);
    await shown.page.locator('[data-testid="map-control"]').first().getByText('2.0', { exact: true }).waitFor();
    expect(await slider.inputValue()).toBe('2');
    await slider.fill('3');
    await shown.page.getByText(/\(3\.00 rmsd\)/).waitFor();
  });

  it('draws a cryo-EM map', async () => {
    const files = ['true_model.pdb', 'full_map.ccp4'].map((name) => testData('synth_cryoem_rnase_3A', name));
    await open(await sceneSession(shown, { title: 'Cryo-EM', files, experimentType: 'cryoem' }));
    await shown.page.locator('[data-testid="scene"][data-maps="density"][data-mapping="false"]').waitFor();
    await shown.look('session-3d-cryoem');
    const withMap = await picture();
    await map('Map').uncheck();
    expect(await difference(withMap, await picture())).toBeGreaterThan(0.02);
    await map('Map').check();
    await shown.page.getByRole('button', { name: 'Next residue' }).click();
    await shown.page.getByText(/CA \/\d+ [A-Z]{3}\/A/).waitFor();
    expect(await difference(withMap, await picture())).toBeGreaterThan(0.05);
  });

  it('draws the submitted files if there are no better ones, and reports that they have changed', async () => {
    const submitted = ['true_model.pdb', 'full_map.ccp4'].map((name) => testData('synth_cryoem_rnase_3A', name));
    const id = await sceneSession(shown, { title: 'Submitted alone', files: [], submitted, experimentType: 'cryoem' });
    await open(id);
    await shown.page.locator('[data-testid="scene"][data-maps="density"][data-mapping="false"]').waitFor();
    expect(await scene().getByText('as submitted').count()).toBe(2);
    await shown.look('session-3d-submitted');
    await shown.page.getByRole('tab', { name: 'Validation' }).click();
    await shown.page.getByText('computed by this page from true_model.pdb, as submitted').waitFor();
    const page = await shown.newPage({ isBroken: true });
    appendFileSync(join(shown.gateway.root, 'data', id, 'full_map.ccp4'), 'more');
    await page.goto(`${shown.gateway.url}/ui/sessions/${id}?view=3d`);
    await page.getByRole('alert').getByText('it is not the file that was submitted: it had').waitFor();
    await page.context().close();
  });

  it('draws a map without a model', async () => {
    const submitted = [testData('synth_cryoem_rnase_3A', 'full_map.ccp4')];
    await open(await sceneSession(shown, { title: 'A map alone', files: [], submitted, experimentType: 'cryoem' }));
    await shown.page.locator('[data-testid="scene"][data-maps="density"][data-mapping="false"]').waitFor();
    await shown.page.getByText('Only the map is drawn').waitFor();
    await shown.look('session-3d-map-alone');
    const withMap = await picture();
    await map('Map').uncheck();
    expect(await difference(withMap, await picture())).toBeGreaterThan(0.02);
  });

  it('loads its code on demand', async () => {
    const page = await shown.newPage();
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await page.goto(`${shown.gateway.url}/ui/sessions/${nutlin}`);
    await page.locator('[role="img"] canvas').waitFor();
    expect(scripts.filter((url) => /scene|map-worker/.test(url))).toEqual([]);
    await page.getByRole('tab', { name: '3D' }).click();
    await page.locator('[data-testid="scene"][data-maps="density difference"]').waitFor();
    expect(scripts.filter((url) => /scene-panel.*\.js|map-worker/.test(url))).toHaveLength(2);
    await page.context().close();
  });

  it('shows the content of models as text', async () => {
    const files = [{ name: 'refine_001.pdb', text: hostileModel, facts: modelOf(2) }];
    await open(await sceneSession(shown, { title: 'Hostile', files }));
    await shown.page.getByRole('button', { name: '<b> < 1' }).waitFor();
    await shown.page.getByText('No map of this model yet.').waitFor();
    expect(await shown.page.title()).not.toBe('owned');
  });

  it('reports content that is too large to draw, and offers the download', async () => {
    const model = { name: 'refine_001.pdb', text: 'ATOM\n', facts: modelOf(200_000) };
    await open(await sceneSession(shown, { title: 'A virus', files: [model] }));
    await shown.page.getByText('The model has 200,000 atoms. At most 100,000 are drawn here').waitFor();
    await shown.page.getByRole('button', { name: 'Download refine_001.pdb' }).waitFor();
    expect(await scene().count()).toBe(0);
    await shown.look('session-3d-large');
    const map: FileFacts = { format: 'map', map: { grid: [500, 500, 500], mode: 2, voxel: 1 } };
    const files = [refined.model, { name: 'sharpened.ccp4', text: 'none', facts: map }];
    await open(await sceneSession(shown, { title: 'A large map', files, experimentType: 'cryoem' }));
    await shown.page.getByText('The map has 125 million points. At most 40 million are drawn here').waitFor();
    await shown.page.getByRole('button', { name: 'Download sharpened.ccp4' }).waitFor();
    await shown.page.getByRole('button', { name: 'NUT B 1', exact: true }).waitFor();
  });

  it('reports damaged files, and marks simulated ones', async () => {
    const { facts } = dataFile({ observations: [], mapCoefficients: ['FWT,PHWT'] });
    const files = [refined.model, { name: 'refine_001.mtz', text: 'MTZ but no more', facts }];
    await open(await sceneSession(shown, { title: 'Damaged', files, simulated: true }));
    await scene().getByRole('alert').getByText('The MTZ file is damaged').waitFor();
    expect(await scene().getByText('A scripted stand-in created this. It is not a scientific result.').count()).toBe(2);
  });

  it('reloads the page once if an upgrade removed its code', async () => {
    const page = await shown.newPage({ isBroken: true });
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    await page.route(/scene-panel.*\.js/, (route) => (loads === 1 ? route.fulfill({ status: 404 }) : route.continue()));
    await page.goto(`${shown.gateway.url}/ui/sessions/${nutlin}?view=3d`);
    await page.getByTestId('scene').waitFor();
    expect(loads).toBe(2);
    await page.context().close();
  });

  it('reports that the map code cannot be loaded', async () => {
    const page = await shown.newPage({ isBroken: true });
    await page.route(/map-worker/, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${shown.gateway.url}/ui/sessions/${nutlin}?view=3d`);
    await page.getByRole('alert').getByText('The map could not be computed').waitFor();
    await page.context().close();
  });

  it('reports a browser without WebGL', async () => {
    const page = await shown.newPage();
    await page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null');
    await page.goto(`${shown.gateway.url}/ui/sessions/${nutlin}?view=3d`);
    await page.getByText('This browser cannot show 3D').waitFor();
    await page.getByRole('button', { name: 'Download refine_002.pdb' }).waitFor();
    await page.context().close();
  });
});
