import type { SessionDirectives, SessionFile } from '@fleet/contracts';
import {
  aFile,
  argvOf,
  dataFile,
  dictionaryFile,
  mapFile,
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

const full = mapFile('/data/map.ccp4');
const halves = [mapFile('/data/half_map_1.ccp4'), mapFile('/data/half_map_2.ccp4')];
const rsr = {
  metrics: { map_cc: 0.78 },
  outputs: [modelFile('/w/rsr_001_real_space_refined_000.pdb')],
};

describe('how often the search model is placed', () => {
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

describe('what the rebuilt model is', () => {
  it('goes into the refinement that follows it, though its R-free is a little worse', async () => {
    const walked = await walk([dataFile(), modelFile(), sequenceFile()], {
      refine: refinements(0.38, 0.379, 0.25),
      autobuild: [{ metrics: { r_free: 0.39 }, outputs: [modelFile('/work/a/overall_best.pdb')] }],
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine autobuild refine molprobity STOP converged');
    expect(argvOf(walked, 'refine', 2)).toContain('/work/a/overall_best.pdb');
  });
});

describe('resolution', () => {
  it('is what the submitter wants for all programs where nobody analyses the map', async () => {
    const walked = await walk(
      [full, modelFile()],
      { map_correlations: [{ metrics: { cc_mask: 0.7 } }], real_space_refine: [rsr] },
      {
        workflow_preferences: { skip_programs: ['phenix.mtriage'] },
        program_settings: { default: { resolution: 3.4 } },
      },
    );
    expect(walked.programs.slice(0, 2)).toEqual(['map_correlations', 'real_space_refine']);
    expect(argvOf(walked, 'real_space_refine')).toContain('resolution=3.4');
  });

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

  it('of 3.6 Å builds no waters', async () => {
    const walked = await walk([dataFile(), modelFile()], {
      xtriage: [{ metrics: { resolution: 3.6 } }],
      refine: refinements(0.345, 0.31),
    });
    expect(argvOf(walked, 'refine', 1).join(' ')).not.toContain('ordered_solvent');
  });
});

describe('half maps', () => {
  it('go into prediction and building where nothing makes a full map of them', async () => {
    const walked = await walk(
      [...halves, sequenceFile()],
      {},
      {
        workflow_preferences: { skip_programs: ['phenix.resolve_cryo_em', 'phenix.map_sharpening'] },
        stop_conditions: { after_program: 'phenix.predict_and_build' },
      },
    );
    expect(argvOf(walked, 'predict_and_build')).toEqual(
      expect.arrayContaining(['map_model.half_map=/data/half_map_1.ccp4', 'map_model.half_map=/data/half_map_2.ccp4']),
    );
  });

  it('that density modification writes beside its map are neither halves nor the map', async () => {
    const walked = await walk([...halves, sequenceFile(), modelFile('/data/template.pdb')], {
      resolve_cryo_em: [
        {
          outputs: ['denmod_half_map_1.ccp4', 'denmod_half_map_2.ccp4', 'denmod_map.ccp4', 'initial_map.ccp4'].map(
            (name) => mapFile(`/w/${name}`),
          ),
        },
      ],
      dock_in_map: [{ outputs: [modelFile('/w/placed_model.pdb')] }],
      real_space_refine: [rsr],
    });
    expect(argvOf(walked, 'dock_in_map')).toContain('/w/denmod_map.ccp4');
    expect(argvOf(walked, 'real_space_refine')).toContain('/w/denmod_map.ccp4');
  });

  it('of two reconstructions are a question to the submitter', async () => {
    const others = [mapFile('/data/other_half_map_1.ccp4'), mapFile('/data/other_half_map_2.ccp4')];
    const walked = await walk([...halves, ...others, modelFile()]);
    expect(words(walked)).toBe('STOP red_flag');
    expect(walked.stop.detail).toContain('4 half maps');
    const exclude = others.map(({ path }) => path);
    const chosen = await walk([...halves, ...others], {}, { file_preferences: { exclude } });
    expect(argvOf(chosen, 'mtriage')).toEqual([
      'phenix.mtriage',
      'half_map=/data/half_map_1.ccp4',
      'half_map=/data/half_map_2.ccp4',
    ]);
  });

  it('without a sequence are sharpened into a full map', async () => {
    const walked = await walk(halves, {
      map_sharpening: [{ outputs: [mapFile('/w/sharpened_map.ccp4')] }],
    });
    expect(words(walked)).toBe('mtriage map_sharpening map_symmetry STOP nothing_left');
  });
});

describe('several reflection files', () => {
  const native = dataFile({}, '/data/native.mtz');
  const pairs = { labels: 'I(+),SIGI(+),I(-),SIGI(-)', kind: 'intensity', anomalous: true } as const;
  const merged = { labels: 'IMEAN,SIGIMEAN', kind: 'intensity', anomalous: false } as const;

  it('phasing takes those with anomalous pairs', async () => {
    const peak = dataFile({ observations: [pairs], freeFlag: 'FREE' }, '/data/peak.mtz');
    const walked = await walk(
      [native, peak, sequenceFile()],
      {},
      {
        workflow_preferences: { use_experimental_phasing: true },
        stop_conditions: { after_program: 'phenix.autosol' },
      },
    );
    expect(argvOf(walked, 'autosol')).toContain('autosol.data=/data/peak.mtz');
  });

  it('the analysis looks at the anomalous pairs of a file with merged data beside them', async () => {
    const walked = await walk([dataFile({ observations: [merged, pairs] })], {});
    expect(argvOf(walked, 'xtriage')).toContain(`scaling.input.xray_data.obs_labels=${pairs.labels}`);
  });

  it('a limit of the anomalous signal is a signal where its strength is not told', async () => {
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

describe('reflections as mmCIF alone', () => {
  const data = aFile({ path: '/data/1abc-sf.cif', facts: { format: 'mmcif-reflections' } });

  it('are searched with a prediction, for predict_and_build does not read them', async () => {
    const walked = await walk([data, sequenceFile()], {
      predict_and_build: [{ outputs: [modelFile('/w/AF_predicted_model_1.pdb')] }],
      process_predicted_model: [{ outputs: [modelFile('/w/AF_processed.pdb')] }],
    });
    expect(argvOf(walked, 'predict_and_build')).toContain('predict_and_build.stop_after_predict=True');
    expect(words(walked)).toBe(
      'xtriage predict_and_build process_predicted_model phaser refine refine molprobity STOP converged',
    );
  });

  it('end the session with the reason where nothing else reads them', async () => {
    const walked = await walk(
      [data, sequenceFile()],
      {},
      {
        workflow_preferences: { use_experimental_phasing: true, skip_programs: ['phenix.predict_and_build'] },
      },
    );
    expect(words(walked)).toBe('xtriage STOP no_program');
    expect(walked.stop.detail).toContain('phenix.autosol: no file for its input "data"');
  });
});

describe('a model or a ligand of one kind alone', () => {
  it('a template as mmCIF is searched with', async () => {
    const pdb = modelFile('/data/1abc_template.cif');
    const walked = await walk([dataFile(), { ...pdb, facts: { ...pdb.facts, format: 'mmcif-model' } }]);
    expect(argvOf(walked, 'phaser')).toContain('/data/1abc_template.cif');
    expect(walked.stop.reason).toBe('converged');
  });

  it('coordinates of a ligand as mmCIF are fitted too', async () => {
    const { facts, ...pdb } = modelFile('/data/lig.cif', { polymerResidues: 0, ligandCodes: ['NUT'], atoms: 31 });
    const ligand: SessionFile = { ...pdb, facts: { ...facts, format: 'mmcif-model' } };
    const walked = await walk([dataFile(), modelFile(), ligand], { ligandfit: [{ fails: 'Sorry: no density' }] });
    expect(argvOf(walked, 'ligandfit')).toContain('ligand=/data/lig.cif');
  });

  it('a ligand that cannot be fitted for want of map coefficients holds up nothing', async () => {
    const walked = await walk([dataFile(), modelFile(), dictionaryFile('NUT')], {
      refine: [{ metrics: { r_free: 0.25 }, outputs: [modelFile('/w/refine_001_001.pdb')] }],
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine molprobity STOP converged');
    expect(walked.stop.detail).toContain('ligand was not fitted');
  });

  const fitted = [
    { outputs: [modelFile('/w/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['NUT'] })] },
  ] satisfies FakeRuns[string];
  const map = dataFile({ observations: [], mapCoefficients: ['2FOFCWT,PH2FOFCWT'] }, '/w/refine_001_001.mtz');

  it('a refined model as mmCIF alone is the one that its ligand is merged with, not the submitted one', async () => {
    const { facts, ...rest } = modelFile('/w/refine_001_001.cif');
    const walked = await walk([dataFile(), modelFile(), dictionaryFile('NUT')], {
      refine: [{ metrics: { r_free: 0.25 }, outputs: [{ ...rest, facts: { ...facts, format: 'mmcif-model' } }, map] }],
      ligandfit: fitted,
      pdbtools: [{ fails: 'Sorry: no' }],
    });
    expect(argvOf(walked, 'pdbtools')).toContain('/w/refine_001_001.cif');
  });

  it('an omit map that cannot be made for want of an MTZ file leaves the rest of the way open', async () => {
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
