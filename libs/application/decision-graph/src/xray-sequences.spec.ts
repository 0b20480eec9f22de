import {
  aCatalogue,
  argvOf,
  dataFile,
  dictionaryFile,
  modelFile,
  refinements,
  sequenceFile,
  walkBench,
  words,
} from '@fleet/testing';

const xtriage = [{ metrics: { resolution: 1.6, no_twinning_suspected: true } }];
const placed = [{ metrics: { r_work: 0.43, r_free: 0.47 } }];
const misplaced = [{ metrics: { r_work: 0.55, r_free: 0.56 } }];
const phaser = [{ metrics: { tfz: 15 }, outputs: [modelFile('/work/p/PHASER.1.pdb')] }];
const ligandfit = [
  {
    metrics: { ligand_cc: 0.8 },
    outputs: [modelFile('/work/l/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['NUT'] })],
  },
];
const pdbtools = [{ outputs: [modelFile('/work/m/refine_001_001_with_ligand.pdb', { ligandCodes: ['NUT'] })] }];

const { walk } = walkBench({ runs: { xtriage, model_vs_data: placed }, installed: 'open' });

describe('an X-ray session with a placed model', () => {
  it('refines until R-free is acceptable, validates and stops converged', async () => {
    const walked = await walk([dataFile(), modelFile()], { refine: refinements(0.28, 0.24) });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine refine molprobity STOP converged');
    expect(walked.stop.detail).toContain('0.240');
    expect(walked.stop.detail).toContain('validated');
  });

  it('fits, merges, refines and confirms a ligand whose dictionary was submitted', async () => {
    const walked = await walk([dataFile(), modelFile(), dictionaryFile('NUT')], {
      refine: refinements(0.293, 0.237),
      ligandfit,
      pdbtools,
    });
    expect(words(walked)).toBe(
      'xtriage model_vs_data refine ligandfit pdbtools refine polder molprobity STOP converged',
    );
    expect(argvOf(walked, 'refine')).not.toContain('/data/NUT.cif');
    expect(argvOf(walked, 'refine')).not.toContain('ordered_solvent=True');
    expect(argvOf(walked, 'refine', 1)).toEqual([
      'phenix.refine',
      '/work/m/refine_001_001_with_ligand.pdb',
      '/work/c3/refine_001_data.mtz',
      '/data/NUT.cif',
      'output.prefix=refine_002',
      'ordered_solvent=True',
    ]);
    expect(argvOf(walked, 'polder')).toContain('selection="resname NUT"');
  });

  it('refines the merged model even where the limit of refinements is reached', async () => {
    const walked = await walk(
      [dataFile(), modelFile(), dictionaryFile('NUT')],
      { refine: refinements(0.293, 0.28), ligandfit, pdbtools },
      { settings: { max_refine_cycles: 1 } },
    );
    expect(words(walked)).toBe(
      'xtriage model_vs_data refine ligandfit pdbtools refine polder molprobity STOP refinement_limit',
    );
  });

  it('does not fit a ligand while R-free is above 0.35', async () => {
    const walked = await walk([dataFile(), modelFile(), dictionaryFile('NUT')], {
      refine: refinements(0.4, 0.38, 0.37),
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine refine molprobity STOP unsatisfactory');
    expect(walked.stop.detail).toMatch(/^The result is unsatisfactory: R-free 0\.370 is far above/);
    expect(walked.stop.detail).toContain('ligand was not fitted');
  });

  const fitFails = (error: string) =>
    walk([dataFile(), modelFile(), dictionaryFile('NUT')], {
      refine: refinements(0.24),
      ligandfit: [{ fails: error }],
    });

  it('continues without the ligand when its fit fails, and states the failure', async () => {
    const walked = await fitFails('Sorry: the fit could not be made');
    expect(walked.stop.detail).toContain('The ligand was not fitted because phenix.ligandfit failed');
  });

  it('continues without the ligand where there is no density, and does not call that a failure', async () => {
    const walked = await fitFails('Sorry: no density for NUT: nowhere outside of the model does it fit');
    expect(words(walked)).toBe('xtriage model_vs_data refine ligandfit refine ligandfit molprobity STOP converged');
    expect(walked.stop.detail).toContain('There is no density for NUT, so the model is without it.');
  });

  it('does not look for a ligand that the model holds already', async () => {
    const walked = await walk(
      [dataFile(), modelFile('/data/start_L_.pdb', { ligandCodes: ['NUT'] }), dictionaryFile('NUT')],
      {
        refine: refinements(0.24),
      },
    );
    expect(words(walked)).toBe('xtriage model_vs_data refine refine molprobity STOP converged');
    expect(argvOf(walked, 'refine')).toContain('/data/NUT.cif');
  });

  it('stops at a plateau', async () => {
    const walked = await walk(
      [dataFile(), modelFile()],
      { refine: refinements(0.29, 0.288, 0.287) },
      { settings: { max_refine_cycles: 10 } },
    );
    expect(words(walked)).toBe('xtriage model_vs_data refine refine refine molprobity STOP plateau');
  });

  it('stops at the limit of refinements', async () => {
    const walked = await walk([dataFile(), modelFile()], { refine: refinements(0.33, 0.31, 0.29) });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine refine molprobity STOP refinement_limit');
  });

  it('gives up a model whose R-free stays above 0.50', async () => {
    const nothing = [{ fails: 'no solution' }];
    const walked = await walk([dataFile(), modelFile()], {
      model_vs_data: [{ metrics: { r_work: 0.44 } }],
      refine: refinements(0.53),
      phaser: nothing,
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine phaser phaser STOP hopeless');
    expect(walked.stop.detail).toContain(
      'model.pdb where it was submitted (R-free stays at 0.530 after refinement); model.pdb (nothing',
    );
  });

  it('takes the target of the submitter', async () => {
    const walked = await walk(
      [dataFile(), modelFile()],
      { refine: refinements(0.28) },
      { settings: { r_free_target: 0.29 } },
    );
    expect(words(walked)).toBe('xtriage model_vs_data refine molprobity STOP converged');
  });

  it('ends after the submitted number of cycles', async () => {
    const walked = await walk([dataFile(), modelFile()], { refine: refinements(0.3) }, { settings: { max_cycles: 2 } });
    expect(words(walked)).toBe('xtriage model_vs_data STOP max_cycles');
  });

  it('uses the twin law of twinned data and no other', async () => {
    const twinned = [{ metrics: { resolution: 1.54, twin_law: 'h,-k,-l', twin_fraction: 0.327 } }];
    const walked = await walk([dataFile(), modelFile()], { xtriage: twinned, refine: refinements(0.19) });
    expect(argvOf(walked, 'refine')).toContain('refinement.twinning.twin_law=h,-k,-l');
    const untwinned = [{ metrics: { resolution: 1.54, twin_law: 'h,-k,-l', twin_fraction: 0.02 } }];
    const other = await walk([dataFile(), modelFile()], { xtriage: untwinned, refine: refinements(0.19) });
    expect(argvOf(other, 'refine').join(' ')).not.toContain('twin_law');
  });

  it('makes free flags only where no file has them, and only once', async () => {
    const bare = dataFile();
    delete (bare.facts.mtz as { freeFlag?: string }).freeFlag;
    const walked = await walk([bare, modelFile()], { refine: refinements(0.3, 0.24) });
    expect(argvOf(walked, 'refine')).toContain('xray_data.r_free_flags.generate=True');
    expect(argvOf(walked, 'refine', 1)).toContain('/work/c3/refine_001_data.mtz');
    expect(argvOf(walked, 'refine', 1).join(' ')).not.toContain('generate');
  });
});

describe('an X-ray session whose model is not placed', () => {
  it('searches for it and refines what was found', async () => {
    const walked = await walk([dataFile(), modelFile()], {
      model_vs_data: misplaced,
      phaser,
      refine: refinements(0.24),
    });
    expect(words(walked)).toBe('xtriage model_vs_data phaser refine refine molprobity STOP converged');
    expect(argvOf(walked, 'refine')).toContain('/work/p/PHASER.1.pdb');
  });

  it('searches twice where xtriage expects twice the residues of the model', async () => {
    const walked = await walk([dataFile(), modelFile()], {
      xtriage: [{ metrics: { resolution: 1.8, n_residues: 180 } }],
      model_vs_data: misplaced,
      phaser,
      refine: refinements(0.24),
    });
    expect(argvOf(walked, 'phaser')).toContain('phaser.search_copies=2');
  });

  it('takes the copies of the sequence over those of the model', async () => {
    const walked = await walk([dataFile(), modelFile('/data/dimer.pdb', { polymerResidues: 192 }), sequenceFile()], {
      xtriage: [{ metrics: { resolution: 1.8, n_copies: 2 } }],
      model_vs_data: misplaced,
      phaser,
      refine: refinements(0.24),
    });
    expect(argvOf(walked, 'phaser').join(' ')).not.toContain('search_copies');
  });

  it('processes a prediction before it searches with it', async () => {
    const prediction = modelFile('/data/AF-P12345.pdb', { predicted: true, meanB: 85 });
    const walked = await walk([dataFile(), prediction], {
      process_predicted_model: [{ outputs: [modelFile('/work/q/AF-P12345_processed.pdb')] }],
      phaser,
      refine: refinements(0.24),
    });
    expect(words(walked)).toBe('xtriage process_predicted_model phaser refine refine molprobity STOP converged');
    expect(argvOf(walked, 'phaser')).toContain('/work/q/AF-P12345_processed.pdb');
  });

  it('goes to molecular replacement at once when the cells differ', async () => {
    const other = modelFile();
    const walked = await walk([dataFile(), { ...other, facts: { ...other.facts, cell: [100, 50, 60, 90, 90, 90] } }], {
      phaser,
      refine: refinements(0.24),
    });
    expect(words(walked)).toBe('xtriage phaser refine refine molprobity STOP converged');
  });

  it('stops with the cause when the search finds nothing', async () => {
    const walked = await walk([dataFile(), modelFile()], {
      model_vs_data: misplaced,
      phaser: [{ fails: 'no solution' }],
    });
    expect(words(walked)).toBe('xtriage model_vs_data phaser phaser STOP hopeless');
    expect(walked.stop.detail).toContain('The search model could not be placed');
  });

  it('says which program is missing when none can place it', async () => {
    const walked = await walk(
      [dataFile(), modelFile()],
      { model_vs_data: misplaced },
      { catalogue: aCatalogue({ without: ['phaser'] }) },
    );
    expect(words(walked)).toBe('xtriage model_vs_data STOP no_program');
    expect(walked.stop.detail).toContain('phenix.phaser: not installed on this backend');
  });
});

describe('an X-ray session without a model', () => {
  it('analyses the data and stops', async () => {
    expect(words(await walk([dataFile()], {}))).toBe('xtriage STOP nothing_left');
  });

  it('names the program that could make one from the sequence', async () => {
    const walked = await walk([dataFile(), sequenceFile()], {});
    expect(words(walked)).toBe('xtriage STOP no_program');
    expect(walked.stop.detail).toContain('phenix.predict_and_build: not installed on this backend');
  });

  it('says that the site lets nobody predict, and how it continues without', async () => {
    const why = 'this site allows none; submit a predicted model instead';
    const catalogue = { ...aCatalogue(), withheld: [{ program: 'phenix.predict_and_build', why }] };
    const walked = await walk([dataFile(), sequenceFile()], {}, { catalogue });
    expect(words(walked)).toBe('xtriage STOP no_program');
    expect(walked.stop.detail).toContain(`phenix.predict_and_build: ${why}`);
  });

  it('stops after the analysis when only that was asked for', async () => {
    expect(words(await walk([dataFile(), modelFile()], {}, { settings: { analysis_only: true } }))).toBe(
      'xtriage STOP goal_reached',
    );
  });
});

describe('an X-ray session when programs are missing or fail', () => {
  it('validates with another program where molprobity is not installed', async () => {
    const walked = await walk(
      [dataFile(), modelFile()],
      { refine: refinements(0.24) },
      { catalogue: aCatalogue({ without: ['molprobity'] }) },
    );
    expect(words(walked)).toBe('xtriage model_vs_data refine refine model_vs_data STOP converged');
  });

  it('opens the gate and says so where nothing can validate', async () => {
    const catalogue = aCatalogue({ without: ['molprobity', 'model_vs_data'] });
    const walked = await walk([dataFile(), modelFile()], { refine: refinements(0.24) }, { catalogue });
    expect(words(walked)).toBe('xtriage refine refine STOP converged');
    expect(walked.stop.detail).toContain('not validated because no validation program');
  });

  it('does not run a simulated program that the settings do not name', async () => {
    const catalogue = aCatalogue();
    const simulated = {
      ...catalogue,
      programs: [
        ...catalogue.programs,
        { program: 'phenix.predict_and_build', provider: 'simulated' as const, version: '0', command: ['/sim'] },
      ],
    };
    const inputs = [dataFile(), sequenceFile()];
    expect((await walk(inputs, {}, { catalogue: simulated })).stop.detail).toContain('simulated');
    const named = await walk(
      inputs,
      {},
      {
        settings: { simulated_programs: ['phenix.predict_and_build'], max_cycles: 2 },
        catalogue: simulated,
      },
    );
    expect(named.programs).toContain('predict_and_build');
  });

  it('stops with the cause when the first analysis fails', async () => {
    const walked = await walk([dataFile()], { xtriage: [{ fails: 'Sorry: no data' }] });
    expect(words(walked)).toBe('xtriage STOP program_failed');
    expect(walked.stop.detail).toContain('Sorry: no data');
  });

  it('does not count a cycle that the machine lost', async () => {
    const walked = await walk([dataFile(), modelFile()], {
      xtriage: [{ lost: true }, xtriage[0]!],
      refine: refinements(0.24),
    });
    expect(words(walked)).toBe('xtriage xtriage model_vs_data refine refine molprobity STOP converged');
  });

  it('validates what it has when a later refinement fails', async () => {
    const runs = refinements(0.3);
    let count = 0;
    const walked = await walk([dataFile(), modelFile()], {
      refine: (decision, cycle) => {
        count += 1;
        return count === 1 && typeof runs === 'function' ? runs(decision, cycle) : { fails: 'Sorry: bad geometry' };
      },
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine molprobity STOP program_failed');
  });
});

describe('contradictions', () => {
  it.each([
    ['maps only, but xray asked for', [modelFile()], { experiment_type: 'xray' as const }],
    ['a model alone', [modelFile()], {}],
  ])('stop with a red flag: %s', async (_name, inputs, settings) => {
    expect(words(await walk(inputs, {}, { settings }))).toBe('STOP red_flag');
  });
});
