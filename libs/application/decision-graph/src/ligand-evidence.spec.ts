import type { SessionFile } from '@fleet/contracts/sessions';
import { categorise, ligandEvidence, rankFiles, sessionFiles } from '@fleet/files';
import {
  argvOf,
  dataFile,
  dictionaryFile,
  mapFile,
  modelFile,
  walkBench,
  words,
  type FakeRun,
  type FakeRuns,
  type Walk,
} from '@fleet/testing';
import { shouldStopAfter } from '@fleet/workflow';

/** Metrics of the fit, the refinement after the merge and the omit map for each ligand. */
interface Numbers {
  readonly fit: FakeRun['metrics'];
  readonly refined?: number;
  readonly omit?: FakeRun['metrics'];
}

const good: Numbers = {
  fit: { ligand_cc: 0.893, ligand_atoms: 41, atoms_in_density: 40 },
  refined: 0.238,
  omit: { cc_1_2: 0.59, cc_1_3: 0.939, cc_2_3: 0.55, polder_conclusion: 'likely' },
};
const absent: Numbers = { fit: { ligand_cc: 0.56, ligand_atoms: 31, atoms_in_density: 24 } };

const codesIn = (paths: readonly string[], known: ReadonlyMap<string, readonly string[]>): readonly string[] =>
  paths.flatMap((path) => known.get(path) ?? []);

/** Programs that copy the ligands of their input models to their output. */
const programsWith = (ligands: Readonly<Record<string, Numbers>>, plain: readonly number[] = [0.302]): FakeRuns => {
  const codes = new Map<string, readonly string[]>();
  let fitted = '';
  let plainRuns = 0;
  const model = (path: string, held: readonly string[]): SessionFile => {
    codes.set(path, held);
    return modelFile(path, { ligandCodes: held });
  };
  return {
    xtriage: [{ metrics: { resolution: 1.6, no_twinning_suspected: true } }],
    model_vs_data: [{ metrics: { r_work: 0.36, r_free: 0.386 } }],
    refine: ({ inputs, strategy }, cycle) => {
      const held = codesIn(
        inputs.filter(({ slot }) => slot === 'model').map(({ path }) => path),
        codes,
      );
      const newest = ligands[held.at(-1) ?? ''];
      const value = newest?.refined ?? plain[Math.min(plainRuns++, plain.length - 1)] ?? 0.3;
      const stem = `/work/c${cycle}/${String(strategy.output_prefix)}`;
      return {
        metrics: { r_free: value, r_work: value - 0.02 },
        outputs: [
          model(`${stem}_001.pdb`, held),
          dataFile({ observations: [], mapCoefficients: ['2FOFCWT,PH2FOFCWT'] }, `${stem}_001.mtz`),
          dataFile({}, `${stem}_data.mtz`),
        ],
      };
    },
    real_space_refine: ({ inputs, strategy }, cycle) => {
      const held = codesIn(
        inputs.filter(({ slot }) => slot === 'model').map(({ path }) => path),
        codes,
      );
      const path = `/work/c${cycle}/${String(strategy.output_prefix)}_real_space_refined_000.pdb`;
      return { metrics: { map_cc: ligands[held.at(-1) ?? '']?.refined ?? 0.8 }, outputs: [model(path, held)] };
    },
    ligandfit: ({ inputs }, cycle) => {
      const path = inputs.find(({ slot }) => slot === 'ligand')?.path ?? '';
      fitted = /(\w+)\.cif$/.exec(path)?.[1] ?? '';
      const output = modelFile(`/work/c${cycle}/ligand_fit_1.pdb`, { polymerResidues: 0, ligandCodes: [fitted] });
      codes.set(output.path, [fitted]);
      return { metrics: ligands[fitted]?.fit ?? {}, outputs: [output] };
    },
    pdbtools: ({ inputs }, cycle) => {
      const held = codesIn(
        inputs.map(({ path }) => path),
        codes,
      );
      const stem = /([^/]+)\.pdb$/.exec(inputs[0]?.path ?? '')?.[1] ?? '';
      return { outputs: [model(`/work/c${cycle}/${stem}_with_ligand.pdb`, held)] };
    },
    polder: () => ({ metrics: ligands[fitted]?.omit ?? {} }),
  };
};

const bench = walkBench({ installed: 'open' });
const walk = (ligands: Readonly<Record<string, Numbers>>, plain?: readonly number[]): Promise<Walk> =>
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
    const walked = await walk({ NUT: good });
    expect(words(walked)).toBe(
      'xtriage model_vs_data refine ligandfit pdbtools refine polder molprobity STOP converged',
    );
    expect(argvOf(walked, 'molprobity')[1]).toBe('/work/c6/refine_002_001.pdb');
    expect(walked.stop.detail).toContain(
      'The model holds NUT: its correlation with the map is 0.89, 40 of its 41 atoms lie in density and CC(1,3) of its omit (polder) map is 0.94.',
    );
  });

  it('is not merged without density: the session ends without it and says so', async () => {
    const walked = await walk({ ATP: absent }, [0.302, 0.24]);
    expect(words(walked)).toBe('xtriage model_vs_data refine ligandfit refine molprobity STOP converged');
    expect(argvOf(walked, 'refine', 1)).not.toContain('/data/ATP.cif');
    expect(argvOf(walked, 'molprobity')[1]).toBe('/work/c5/refine_002_001.pdb');
    expect(walked.stop.detail).toContain(
      'There is no density for ATP: its correlation with the map is 0.56, 0.70 is the least that counts as density. The model is without it; ' +
        'the fit is kept beside as ligand_fit_1.pdb (cycle 4).',
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
    expect(walked.stop.detail).toContain('The model with it is kept beside as refine_002_001.pdb (cycle 6).');
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
    ['the first', { ATP: absent, NUT: good }, 'refine ligandfit ligandfit pdbtools refine polder molprobity'],
    ['the second', { NUT: good, ATP: absent }, 'refine ligandfit pdbtools refine polder ligandfit molprobity'],
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
    const walked = await walk({ NUT: good, ATP: doubtful });
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
  const twoSites = async (second: Numbers): Promise<Walk> => {
    const runs = programsWith({ NUT: good });
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
      polder: () => ({ metrics: (site === 1 ? good : second).omit ?? {} }),
    });
  };

  it('stay in the model if both have density, each confirmed separately', async () => {
    const walked = await twoSites(good);
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
  const inMap = (numbers: Numbers): Promise<Walk> =>
    bench.walk([map, coefficients, modelFile(), dictionaryFile('ATP')], {
      ...programsWith({ ATP: numbers }),
      mtriage: [{ metrics: { resolution: 3.0 } }],
      map_correlations: [{ metrics: { cc_mask: 0.7 } }],
    });

  it('is merged if the fit correlates with the map', async () => {
    const walked = await inMap({ fit: { ligand_cc: 0.78 }, refined: 0.81 });
    expect(words(walked)).toContain('ligandfit pdbtools real_space_refine');
    expect(walked.stop.detail).toContain('The model holds ATP: its correlation with the map is 0.78.');
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
