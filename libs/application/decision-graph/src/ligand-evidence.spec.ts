import { categorise, ligandEvidence, rankFiles, sessionFiles } from '@fleet/files';
import {
  argvOf,
  dataFile,
  dictionaryFile,
  mapFile,
  modelFile,
  walkBench,
  words,
  type FakeRuns,
  type Walk,
  goodLigand,
  ligandPrograms,
  type LigandNumbers,
} from '@fleet/testing';
import { shouldStopAfter } from '@fleet/workflow';

const absent: LigandNumbers = { fit: { ligand_cc: 0.56, ligand_atoms: 31, atoms_in_density: 24 } };
const programsWith = (ligands: Readonly<Record<string, LigandNumbers>>, plain?: readonly number[]): FakeRuns =>
  ligandPrograms((code) => ligands[code], plain && { plain });

const bench = walkBench({ installed: 'open' });
const walk = (ligands: Readonly<Record<string, LigandNumbers>>, plain?: readonly number[]): Promise<Walk> =>
  bench.walk(
    [dataFile(), modelFile(), ...Object.keys(ligands).toReversed().map(dictionaryFile)],
    programsWith(ligands, plain),
    { settings: { max_refine_cycles: 2 } },
  );

const delivered = ({ session }: Walk, category: string): string | undefined => {
  const { fileCategories, bestFiles: scoring, ligandEvidence: rules } = bench.ruleBook;
  const { isSetAside } = ligandEvidence(session, rules);
  const categorised = categorise(
    sessionFiles(session).filter((file) => !isSetAside(file)),
    fileCategories,
  );
  return rankFiles({ categorised, cycles: session.cycles, scoring, rules: bench.ruleBook }).ranked.get(category)?.[0]
    ?.file.path;
};

describe('a fitted ligand', () => {
  it('stays if the fit and the omit map confirm it, and the stop names the metrics', async () => {
    const walked = await walk({ NUT: goodLigand });
    expect(words(walked)).toBe(
      'xtriage model_vs_data refine ligandfit pdbtools refine polder molprobity STOP converged',
    );
    expect(argvOf(walked, 'molprobity')[1]).toBe('/work/c6/refine_002_001.pdb');
    expect(walked.stop.detail).toContain(
      'The model holds NUT: its correlation with the map is 0.89, 40 of its 41 atoms lie in density and CC(1,3) of its omit (polder) map is 0.94.',
    );
  });

  it('stays with a reminder to check its pose where its correlation is doubtful, and the waters it replaces are named', async () => {
    const fit = { ligand_cc: 0.73, ligand_atoms: 12, atoms_in_density: 9, waters_replaced: 'W 22, W 49' };
    const walked = await walk({ LIG: { ...goodLigand, fit } });
    expect(walked.stop.detail).toContain(
      'The model holds LIG, but check its pose: its correlation with the map is 0.73, 9 of its 12 atoms lie in density, CC(1,3) of its omit (polder) ' +
        'map is 0.94 and it replaces the waters W 22, W 49. A correlation below 0.80 may be that of a wrong orientation.',
    );
  });

  it('is not merged without density: the session ends without it and says so', async () => {
    const walked = await walk({ ATP: absent }, [0.302, 0.24]);
    expect(words(walked)).toBe('xtriage model_vs_data refine ligandfit refine molprobity STOP converged');
    expect(argvOf(walked, 'refine', 1)).not.toContain('/data/ATP.cif');
    expect(argvOf(walked, 'molprobity')[1]).toBe('/work/c5/refine_002_001.pdb');
    expect(walked.stop.detail).toContain(
      'There is no density for ATP: its correlation with the map is 0.56, at least 0.70 is needed. The model does not contain it; ' +
        'the rejected fit is kept as ligand_fit_1.pdb (cycle 4).',
    );
    expect(walked.stop.detail).not.toContain('The ligand was not fitted');
  });

  it('is removed if most of it is outside of the density, whatever the correlation', async () => {
    const walked = await walk({ ATP: { fit: { ligand_cc: 0.74, ligand_atoms: 31, atoms_in_density: 15 } } }, [0.24]);
    expect(words(walked)).not.toContain('pdbtools');
    expect(walked.stop.detail).toContain('only 15 of its 31 atoms lie in density');
  });

  it.each([
    ['unlikely', { cc_1_2: 0.7, cc_1_3: 0.52, cc_2_3: 0.75 }, /looks like bulk solvent: CC\(1,3\) 0\.52/],
    [
      'inconclusive',
      { cc_1_2: 0.62, cc_1_3: 0.76, cc_2_3: 0.6 },
      /does not confirm it: CC\(1,3\) is 0\.76, 0\.80 is needed/,
    ],
    ['unlikely in words alone', { polder_conclusion: 'unlikely' }, /the omit \(polder\) map is unlikely/],
  ])('is removed after a doubtful fit if the omit map is %s; the model with it remains', async (_word, omit, says) => {
    const doubtful = { fit: { ligand_cc: 0.72 }, refined: 0.235, omit };
    const walked = await walk({ ATP: doubtful }, [0.302, 0.235]);
    expect(words(walked)).toBe(
      'xtriage model_vs_data refine ligandfit pdbtools refine polder refine molprobity STOP converged',
    );
    // From the model before the merge, with its own number.
    expect(argvOf(walked, 'refine', 2).slice(1)).toEqual([
      '/work/c3/refine_001_001.pdb',
      expect.stringContaining('.mtz'),
      'output.prefix=refine_003',
      'ordered_solvent=True',
    ]);
    expect(argvOf(walked, 'molprobity')[1]).toBe('/work/c8/refine_003_001.pdb');
    expect(delivered(walked, 'model')).toBe('/work/c8/refine_003_001.pdb');
    expect(delivered(walked, 'map_coeffs_mtz')).toBe('/work/c8/refine_003_001.mtz');
    expect(walked.stop.detail).toMatch(says);
    expect(walked.stop.detail).toMatch(/^R-free 0\.235 meets the target/);
    expect(walked.stop.detail).toContain('The rejected model with it is kept as refine_002_001.pdb (cycle 6).');
  });

  it('is removed if R-free is worse with it, without an omit map', async () => {
    const walked = await walk({ ATP: { fit: { ligand_cc: 0.81 }, refined: 0.251 } }, [0.24]);
    expect(words(walked)).toBe(
      'xtriage model_vs_data refine ligandfit pdbtools refine refine molprobity STOP converged',
    );
    expect(argvOf(walked, 'refine', 2)[1]).toBe('/work/c3/refine_001_001.pdb');
    expect(walked.stop.detail).toContain('The model does not hold ATP: R-free rose from 0.240 to 0.251 with it.');
  });

  it('still runs after_program, whatever that program has shown', async () => {
    const runs = programsWith({ ATP: { fit: { ligand_cc: 0.72 }, refined: 0.25, omit: { cc_1_3: 0.6 } } });
    const inputs = [dataFile(), modelFile(), dictionaryFile('ATP')];
    const { session } = await bench.walk(inputs, runs);
    const request = { ...session.request, directives: { stop_conditions: { after_program: 'phenix.polder' } } };
    const cycles = session.cycles.slice(0, 7);
    const input = { session: { request, cycles }, ruleBook: bench.ruleBook, catalogue: bench.catalogue };
    expect(shouldStopAfter(input)?.reason).toBe('goal_reached');
  });
});

describe('two ligands', () => {
  it.each([
    ['the first', { ATP: absent, NUT: goodLigand }, 'refine ligandfit ligandfit pdbtools refine polder molprobity'],
    ['the second', { NUT: goodLigand, ATP: absent }, 'refine ligandfit pdbtools refine polder ligandfit molprobity'],
  ])('are judged independently: %s has no density', async (_which, ligands, programs) => {
    const walked = await walk(ligands);
    expect(words(walked)).toContain(`${programs} STOP converged`);
    expect(argvOf(walked, 'refine', 1)).toContain('/data/NUT.cif');
    expect(argvOf(walked, 'refine', 1)).not.toContain('/data/ATP.cif');
    expect(walked.stop.detail).toContain('The model holds NUT');
    expect(walked.stop.detail).toContain('There is no density for ATP');
  });

  it('keep the first if the omit map refutes the second', async () => {
    const doubtful = { fit: { ligand_cc: 0.72 }, refined: 0.237, omit: { cc_1_2: 0.6, cc_1_3: 0.71, cc_2_3: 0.5 } };
    const walked = await walk({ NUT: goodLigand, ATP: doubtful });
    expect(words(walked)).toContain(
      'refine ligandfit pdbtools refine polder ligandfit pdbtools refine polder molprobity STOP converged',
    );
    expect(argvOf(walked, 'polder', 0)).toContain('selection="resname NUT"');
    expect(argvOf(walked, 'polder', 1)).toContain('selection="resname ATP"');
    expect(delivered(walked, 'model')).toBe('/work/c6/refine_002_001.pdb');
    expect(argvOf(walked, 'molprobity')[1]).toBe('/work/c6/refine_002_001.pdb');
    expect(walked.stop.detail).toMatch(/^R-free 0\.238/);
  });
});

describe('two copies of a ligand', () => {
  const twoSites = async (second: LigandNumbers): Promise<Walk> => {
    const runs = programsWith({ NUT: goodLigand });
    const fits = runs.ligandfit as Extract<FakeRuns[string], (...given: never) => unknown>;
    let site = 0;
    return bench.walk([dataFile(), modelFile(), dictionaryFile('NUT')], {
      ...runs,
      xtriage: [{ metrics: { resolution: 1.6, no_twinning_suspected: true, n_copies: 2 } }],
      ligandfit: (decision, cycle) => {
        const fitted = fits(decision, cycle);
        site += 1;
        const chains = [site === 1 ? 'C' : 'D'];
        const outputs = (fitted.outputs ?? []).map((file) =>
          modelFile(file.path, { polymerResidues: 0, ligandCodes: ['NUT'], chains }),
        );
        return site === 1 ? { ...fitted, outputs } : { outputs, metrics: second.fit ?? {} };
      },
      polder: () => ({ metrics: (site === 1 ? goodLigand : second).omit ?? {} }),
    });
  };

  it('stay in the model if both have density, each confirmed separately', async () => {
    const walked = await twoSites(goodLigand);
    expect(words(walked)).toContain(
      'refine ligandfit pdbtools refine polder ligandfit pdbtools refine polder molprobity STOP converged',
    );
    expect(argvOf(walked, 'polder', 0)).toContain('selection="resname NUT"');
    expect(argvOf(walked, 'polder', 1)).toContain('selection="resname NUT and chain D"');
    expect(walked.stop.detail).toContain('The model holds copy 2 of NUT');
  });

  it('one has density and stays in the model, the other is removed and reported', async () => {
    const walked = await twoSites(absent);
    expect(words(walked)).toContain('refine ligandfit pdbtools refine polder ligandfit molprobity STOP converged');
    expect(delivered(walked, 'model')).toBe('/work/c6/refine_002_001.pdb');
    expect(walked.stop.detail).toContain('The model holds NUT:');
    expect(walked.stop.detail).toContain('There is no density for copy 2 of NUT: its correlation with the map is 0.56');
  });
});

describe('a ligand in a map', () => {
  const map = mapFile('/data/map.mrc');
  const coefficients = dataFile({ observations: [], mapCoefficients: ['FWT,PHWT'] }, '/data/map_coeffs.mtz');
  const inMap = (numbers: LigandNumbers): Promise<Walk> =>
    bench.walk([map, coefficients, modelFile(), dictionaryFile('ATP')], {
      ...programsWith({ ATP: numbers }),
      mtriage: [{ metrics: { resolution: 3.0 } }],
      map_correlations: [{ metrics: { cc_mask: 0.7 } }],
    });

  it('is merged if the fit correlates with the map', async () => {
    const walked = await inMap({ fit: { ligand_cc: 0.78 }, refined: 0.81 });
    expect(words(walked)).toContain('ligandfit pdbtools real_space_refine');
    expect(walked.stop.detail).toContain(
      'The model holds ATP, but check its pose: its correlation with the map is 0.78.',
    );
  });

  it('is removed without density, and if the map correlation falls with it', async () => {
    const without = await inMap({ fit: { ligand_cc: 0.5 } });
    expect(words(without)).not.toContain('pdbtools');
    expect(without.stop.detail).toContain('There is no density for ATP');
    const worse = await inMap({ fit: { ligand_cc: 0.78 }, refined: 0.76 });
    expect(worse.stop.detail).toContain(
      'The model does not hold ATP: the map correlation fell from 0.800 to 0.760 with it.',
    );
    expect(argvOf(worse, 'validation_cryoem')[1]).not.toContain('rsr_002');
  });
});
