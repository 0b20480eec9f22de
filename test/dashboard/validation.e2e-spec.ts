import { testData } from '../e2e/standalone';
import { ShownBrowser } from './shown-browser';
import { hostileModel, refined, sceneSession } from './shown-scene';

// @needs chromium, PHENIX_FLEET_TEST_DATA

describe('the Ramachandran plot of a model', () => {
  let shown: ShownBrowser;
  let poor: string;
  beforeAll(async () => {
    shown = await ShownBrowser.start();
    const model = testData('5a3h', '5a3h_bad_tutorial_start.pdb');
    poor = await sceneSession(shown, { title: 'Cel5A, badly built', files: [model] });
  });
  afterAll(async () => {
    await shown.stop({ mayFailToLoad: false });
  });

  const panel = () => shown.page.getByTestId('ramachandran');
  const plot = (kind: string) => shown.page.locator(`[data-testid="rama-plot"][data-class="${kind}"]`);
  const open = async (id: string): Promise<void> => {
    await shown.go(`sessions/${id}?view=validation`);
    await panel().waitFor();
  };

  it('counts classes like ramalyze, and names the numbers of the record', async () => {
    await open(poor);
    await panel().getByText('92.3 % of 285 residues are favoured, 7 (2.5 %) are outliers.').waitFor();
    await panel().getByText('100.00 % favoured, 0.00 % outliers (refine, cycle 1)').waitFor();
    expect(await shown.page.locator('[data-testid="rama-plot"] h3').allInnerTexts()).toEqual([
      expect.stringMatching(/^General \d+ favoured, \d+ allowed, \d outliers$/),
      expect.stringMatching(/^Glycine/),
      expect.stringMatching(/^trans-Proline/),
      expect.stringMatching(/^Before proline/),
      expect.stringMatching(/^Ile and Val/),
    ]);
    await shown.look('session-ramachandran', shown.page, panel());
  });

  it('names a residue by pointer and keyboard, and opens it in 3D', async () => {
    await open(poor);
    const glycine = plot('glycine');
    await glycine.getByRole('application').focus();
    await shown.page.keyboard.press('ArrowRight');
    await glycine.getByText('GLY A 10: φ 58°, ψ −128°, favoured').waitFor();
    const mark = await glycine.locator('[data-testid="rama-marked"]').boundingBox();
    await shown.page.keyboard.press('End');
    await glycine.getByText('GLY A 10:').waitFor({ state: 'detached' });
    await shown.page.mouse.move(mark!.x + mark!.width / 2, mark!.y + mark!.height / 2);
    await glycine.getByText('GLY A 10:').waitFor();
    await shown.page.mouse.down();
    await shown.page.mouse.up();
    await shown.page.waitForURL(/view=3d&at=/);
    await shown.page.getByText('GLY A 10 CA', { exact: true }).waitFor();
  });

  it('lists outliers first, each with a link to 3D, and all others on request', async () => {
    await open(poor);
    const rows = panel().locator('[data-testid="torsions"] tbody tr');
    expect(await rows.count()).toBe(22);
    expect((await rows.locator('td:last-child').allInnerTexts()).slice(0, 8)).toEqual([
      ...Array.from({ length: 7 }, () => 'outlier'),
      'allowed',
    ]);
    await panel().getByRole('switch', { name: 'Include favoured residues' }).check();
    await panel().getByRole('button', { name: 'Show 100 more' }).click();
    expect(await rows.count()).toBe(200);
    const [name = ''] = await rows.first().getByRole('link').allInnerTexts();
    await rows.first().getByRole('link').click();
    await shown.page.getByText(`${name} CA`, { exact: true }).waitFor();
    await shown.page.goBack();
    await panel().waitFor();
  });

  it('reports that all residues are favoured, and that there is nothing to plot', async () => {
    await open(await sceneSession(shown, { title: 'MDM2 with nutlin-3a', files: [refined.model] }));
    await panel().getByText('100.0 % of 89 residues are favoured').waitFor();
    await panel().getByText('All residues are in favoured regions.').waitFor();
    const facts = {
      format: 'pdb' as const,
      model: { atoms: 2, chains: ['A'], polymerResidues: 1, waters: 0, ligandCodes: [], predicted: false, meanB: 20 },
    };
    const ligand = { name: 'refine_001.pdb', text: hostileModel, facts };
    await open(await sceneSession(shown, { title: 'A ligand alone', files: [ligand] }));
    await panel().getByText('The plot is empty').waitFor();
    const virus = {
      name: 'refine_001.pdb',
      text: 'ATOM\n',
      facts: { ...facts, model: { ...facts.model, atoms: 2e5 } },
    };
    await shown.go(`sessions/${await sceneSession(shown, { title: 'A virus', files: [virus] })}?view=validation`);
    await shown.page.getByText('The model has 200,000 atoms. At most 100,000 are drawn here').waitFor();
  });

  it('reports that the measuring code cannot be loaded', async () => {
    const page = await shown.newPage({ isBroken: true });
    await page.route(/model-worker/, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${shown.gateway.url}/ui/sessions/${poor}?view=validation`);
    await page.getByText('Validation failed').waitFor();
    await page.context().close();
  });
});
