import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { SessionFile } from '@fleet/contracts/sessions';
import {
  aFile,
  argvOf,
  dataFile,
  dictionaryFile,
  modelFile,
  refinements,
  sequenceFile,
  unrefined,
  usualRuns,
  walkBench,
  words,
  type FakeRuns,
} from '@fleet/testing';

const bench = walkBench({ installed: 'all', runs: { ...usualRuns, model_vs_data: unrefined } });
const walk = (inputs: readonly SessionFile[], runs: FakeRuns = {}, directives: SessionDirectives = {}) =>
  bench.walk(inputs, runs, { directives });

describe('the number of copies of the search model', () => {
  const searchedWith = async (
    model: SessionFile,
    sequence: NonNullable<SessionFile['facts']['sequence']>,
    n_copies: number,
  ): Promise<string> => {
    const file = aFile({ path: '/data/seq.fasta', facts: { format: 'sequence', sequence } });
    const walked = await walk([dataFile(), model, file], { xtriage: [{ metrics: { resolution: 2.1, n_copies } }] });
    return argvOf(walked, 'phaser').find((token) => token.includes('search_copies')) ?? 'once';
  };
  const template = (polymerResidues: number) => modelFile('/data/template.pdb', { polymerResidues });
  const monomer = { chains: 1, residues: 300, distinct: 1 };

  it.each([
    ['once: a trimmed model of the only copy', template(170), monomer, 1, 'once'],
    ['twice: a trimmed model of two copies', template(170), monomer, 2, 'phaser.search_copies=2'],
    ['twice: a dimer of four copies', template(600), monomer, 4, 'phaser.search_copies=2'],
    ['once: one chain of a heterodimer', template(150), { chains: 2, residues: 300, distinct: 2 }, 1, 'once'],
    [
      'twice: a homodimer listed by chain',
      template(150),
      { chains: 2, residues: 300, distinct: 1 },
      1,
      'phaser.search_copies=2',
    ],
  ])('%s', async (_title, model, sequence, copies, expected) => {
    expect(await searchedWith(model, sequence, copies)).toBe(expected);
  });
});

describe('the resolution', () => {
  it.each([
    [1.2, [undefined, 'refine.adp.individual.anisotropic="not (water or element H)"']],
    [1.6, [undefined, undefined]],
  ])('of %s Å decides on anisotropic B values, after the first refinement', async (resolution, expected) => {
    const walked = await walk([dataFile(), modelFile()], {
      xtriage: [{ metrics: { resolution } }],
      refine: refinements(0.29, 0.17),
    });
    const found = [0, 1].map((run) => argvOf(walked, 'refine', run).find((token) => token.includes('anisotropic')));
    expect(found).toEqual(expected);
  });
});

describe('several reflection files', () => {
  it('a limit of the anomalous signal counts as a signal if its strength is unknown', async () => {
    const decide = async (metrics: Readonly<Record<string, number>>): Promise<readonly string[]> => {
      const walked = await walk([dataFile(), sequenceFile()], { xtriage: [{ metrics }] });
      return walked.session.cycles[1]?.decision.validPrograms ?? [];
    };
    const withSignal = ['phenix.predict_and_build', 'phenix.autosol'];
    expect(await decide({ resolution: 2.1, anomalous_resolution: 2.8 })).toEqual(withSignal);
    expect(await decide({ resolution: 2.1, anomalous_resolution: 12.2 })).toEqual(['phenix.predict_and_build']);
    expect(await decide({ resolution: 2.1, anomalous_resolution: 2.8, anomalous_measurability: 0.03 })).toEqual([
      'phenix.predict_and_build',
    ]);
  });
});

describe('a single model or ligand', () => {
  const fitted = [
    { outputs: [modelFile('/w/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['NUT'] })] },
  ] satisfies FakeRuns[string];
  const map = dataFile({ observations: [], mapCoefficients: ['2FOFCWT,PH2FOFCWT'] }, '/w/refine_001_001.mtz');

  it('an omit map that lacks an MTZ file does not block the other programs', async () => {
    const data = aFile({ path: '/data/data.sca', facts: { format: 'scalepack' } });
    const walked = await walk([data, modelFile(), dictionaryFile('NUT')], {
      refine: (_decision, cycle) => ({
        metrics: { r_free: 0.25 },
        outputs: [modelFile(`/w/c${cycle}/refine.pdb`, cycle > 4 ? { ligandCodes: ['NUT'] } : {}), map],
      }),
      ligandfit: fitted,
      pdbtools: [{ outputs: [modelFile('/w/x_with_ligand.pdb', { ligandCodes: ['NUT'] })] }],
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine ligandfit pdbtools refine molprobity STOP converged');
  });

  it('coordinates of a ligand without restraints are fitted under their own code', async () => {
    const ligand = modelFile('/data/lig.pdb', { polymerResidues: 0, ligandCodes: ['NUT'], atoms: 31 });
    const walked = await walk([dataFile(), modelFile(), ligand], { ligandfit: [{ fails: 'Sorry: no density' }] });
    const fit = walked.session.cycles.find(({ decision }) => decision.program === 'phenix.ligandfit');
    expect(fit?.decision.argv).toContain('ligand=/data/lig.pdb');
    expect(fit?.decision.reasoning).toContain('The model does not hold NUT yet');
  });
});
