import type { SessionFile } from '@fleet/contracts';
import {
  argvOf,
  dataFile,
  dictionaryFile,
  mapFile,
  modelFile,
  refinements,
  sequenceFile,
  states,
  walkBench,
  words,
  type FakeRuns,
} from '@fleet/testing';

const prediction = modelFile('/work/b/PredictAndBuild_0_predicted_model.pdb', { predicted: true, meanB: 85 });
const processed = modelFile('/work/q/PredictAndBuild_0_predicted_model_processed.pdb');
const built = modelFile('/work/b/PredictAndBuild_0_overall_best.pdb');
const coefficients = (path: string): SessionFile => dataFile({ observations: [], mapCoefficients: ['FWT,PHWT'] }, path);
const anomalous = dataFile({
  observations: [{ labels: 'I(+),SIGI(+),I(-),SIGI(-)', kind: 'intensity', anomalous: true }],
});

/** What the programs leave behind unless a test says otherwise. */
const programs: FakeRuns = {
  xtriage: [{ metrics: { resolution: 2.1, no_twinning_suspected: true } }],
  model_vs_data: [{ metrics: { r_work: 0.29, r_free: 0.3 } }],
  mtriage: [{ metrics: { resolution: 3.2 } }],
  phaser: [{ metrics: { tfz: 24.5 }, outputs: [modelFile('/work/p/PHASER.1.pdb')] }],
  process_predicted_model: [{ outputs: [processed] }],
  autosol: [
    {
      metrics: { bayes_cc: 59.1 },
      outputs: [
        modelFile('/work/s/overall_best.pdb'),
        dataFile({ phases: ['PHIB'] }, '/work/s/overall_best_refinement_data.mtz'),
        coefficients('/work/s/overall_best_denmod_map_coeffs.mtz'),
      ],
    },
  ],
  autobuild: [{ metrics: { r_free: 0.29, r_work: 0.25 }, outputs: [modelFile('/work/a/overall_best.pdb')] }],
  ligandfit: [
    {
      metrics: { ligand_cc: 0.8 },
      outputs: [modelFile('/work/l/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['NUT'] })],
    },
  ],
  pdbtools: [{ outputs: [modelFile('/work/m/best_with_ligand.pdb', { ligandCodes: ['NUT'] })] }],
  resolve_cryo_em: [{ outputs: [mapFile('/work/v/denmod_map.ccp4')] }],
  map_sharpening: [{ outputs: [mapFile('/work/h/sharpened_map.ccp4')] }],
  dock_in_map: [{ outputs: [modelFile('/work/d/placed_model.pdb')] }],
  map_correlations: [{ metrics: { cc_mask: 0.55 } }],
};

const { walk } = walkBench({ runs: programs, installed: 'all' });

const strong = [{ metrics: { resolution: 2.2, anomalous_measurability: 0.18 } }];

const realSpace =
  (...values: readonly number[]): FakeRuns[string] =>
  (decision, cycle) => {
    const prefix = String(decision.strategy.output_prefix);
    const run = Number(/\d+$/.exec(prefix)?.[0] ?? 1) - 1;
    const hasLigand = decision.inputs.some(({ slot, path }) => slot === 'model' && /with_ligand|_L_/.test(path));
    return {
      metrics: { map_cc: values[Math.min(run, values.length - 1)] ?? 0 },
      outputs: [
        modelFile(
          `/work/c${cycle}/${prefix}${hasLigand ? '_L_' : ''}_real_space_refined_000.pdb`,
          hasLigand ? { ligandCodes: ['NUT'] } : {},
        ),
      ],
    };
  };

describe('whole X-ray sessions', () => {
  it('molecular replacement with a template', async () => {
    const walked = await walk([dataFile(), modelFile('/data/template.pdb')], { refine: refinements(0.31, 0.25) });
    expect(words(walked)).toBe('xtriage phaser refine refine refine molprobity STOP converged');
    expect(states(walked)).toBe('xray_initial xray_analyzed xray_has_model xray_refined xray_refined xray_refined');
  });

  it('prediction, placement and building in one run', async () => {
    const walked = await walk([dataFile(), sequenceFile()], {
      predict_and_build: [{ metrics: { r_free: 0.31, r_work: 0.27 }, outputs: [built] }],
      refine: refinements(0.25),
    });
    expect(words(walked)).toBe('xtriage predict_and_build refine refine molprobity STOP converged');
    expect(argvOf(walked, 'predict_and_build').join(' ')).not.toContain('stop_after_predict');
    expect(argvOf(walked, 'refine')).toContain(built.path);
  });

  it('an excellent R-free straight from predict_and_build is refined once more, validated and converges, it is not stuck', async () => {
    const walked = await walk([dataFile(), sequenceFile()], {
      predict_and_build: [{ metrics: { r_free: 0.22, r_work: 0.2 }, outputs: [built] }],
    });
    expect(words(walked)).toBe('xtriage predict_and_build refine molprobity STOP converged');
  });

  it('prediction step by step', async () => {
    const walked = await walk(
      [dataFile(), sequenceFile()],
      { predict_and_build: [{ metrics: { plddt: 90 }, outputs: [prediction] }], refine: refinements(0.25) },
      { settings: { maximum_automation: false } },
    );
    expect(words(walked)).toBe(
      'xtriage predict_and_build process_predicted_model phaser refine refine molprobity STOP converged',
    );
    expect(states(walked)).toBe(
      'xray_initial xray_analyzed xray_has_prediction xray_model_processed xray_has_model xray_refined xray_refined',
    );
    expect(argvOf(walked, 'predict_and_build')).toContain('predict_and_build.stop_after_predict=True');
    expect(argvOf(walked, 'phaser')).toContain(processed.path);
  });

  it('single-wavelength anomalous phasing, first where the signal is strong', async () => {
    const walked = await walk([anomalous, sequenceFile()], { xtriage: strong, refine: refinements(0.25) });
    expect(words(walked)).toBe('xtriage autosol autobuild refine refine molprobity STOP converged');
    expect(states(walked)).toBe('xray_initial xray_analyzed xray_has_phases xray_has_model xray_refined xray_refined');
    expect(argvOf(walked, 'autosol')).toContain('autosol.data=/data/data.mtz');
  });

  it('a weak signal does not come before a prediction', async () => {
    const weak = [{ metrics: { resolution: 2.2, anomalous_measurability: 0.07 } }];
    const walked = await walk([anomalous, sequenceFile()], {
      xtriage: weak,
      predict_and_build: [{ metrics: { r_free: 0.24 }, outputs: [built] }],
    });
    expect(walked.programs[1]).toBe('predict_and_build');
  });

  it('molecular replacement with anomalous phasing from the placed model', async () => {
    const walked = await walk([anomalous, sequenceFile(), modelFile('/data/search_model.pdb')], {
      xtriage: strong,
      refine: refinements(0.25),
    });
    expect(words(walked)).toBe('xtriage phaser autosol autobuild refine refine molprobity STOP converged');
    expect(states(walked)).toBe(
      'xray_initial xray_analyzed xray_mr_sad xray_has_phases xray_has_model xray_refined xray_refined',
    );
    expect(argvOf(walked, 'autosol')).toContain('partpdb_file=/work/p/PHASER.1.pdb');
  });

  it('a ligand is fitted, merged, refined again whatever the count, and confirmed', async () => {
    const walked = await walk(
      [dataFile(), modelFile('/data/template.pdb'), dictionaryFile('NUT')],
      { refine: refinements(0.26, 0.25) },
      { settings: { max_refine_cycles: 1 } },
    );
    expect(words(walked)).toBe('xtriage phaser refine ligandfit pdbtools refine polder molprobity STOP converged');
  });

  it('twinned data', async () => {
    const twinned = [{ metrics: { resolution: 2.1, twin_law: 'h,-k,-l', twin_fraction: 0.33 } }];
    const walked = await walk([dataFile(), modelFile()], { xtriage: twinned, refine: refinements(0.24) });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine molprobity STOP converged');
    expect(argvOf(walked, 'refine')).toContain('refinement.twinning.twin_law=h,-k,-l');
  });

  it('a tutorial that ends with the data analysis', async () => {
    const directives = { stop_conditions: { after_program: 'phenix.xtriage', skip_validation: true } };
    expect(words(await walk([dataFile(), modelFile()], {}, { directives }))).toBe('xtriage STOP goal_reached');
  });

  it('calls a model hopeless only after every way that its files and programs allow, and says which', async () => {
    const predicted = [{ metrics: { r_free: 0.53 }, outputs: [modelFile('/work/b/x_overall_best.pdb')] }];
    const walked = await walk([dataFile(), sequenceFile(), modelFile('/data/template.pdb')], {
      refine: refinements(0.51),
      autobuild: [{ metrics: { r_free: 0.52 }, outputs: [modelFile('/work/a/overall_best.pdb')] }],
      predict_and_build: predicted,
    });
    expect(words(walked)).toBe('xtriage phaser refine autobuild refine predict_and_build refine STOP hopeless');
    expect(walked.stop.detail).toBe(
      'R-free stays at 0.510 after refinement; above 0.50 the model is wrong or wrongly placed. Molecular replacement was tried. ' +
        'Rebuilding was tried. A predicted model was tried. Check the symmetry and what the sample holds, or submit another model.',
    );
  });

  it('phases without a model before it gives up data with an anomalous signal', async () => {
    const weak = [{ metrics: { resolution: 2.2, anomalous_measurability: 0.07 } }];
    const walked = await walk([anomalous, sequenceFile(), modelFile('/data/template.pdb')], {
      xtriage: weak,
      refine: refinements(0.52, 0.52, 0.52, 0.27),
      predict_and_build: [{ metrics: { r_free: 0.53 }, outputs: [modelFile('/work/b/x_overall_best.pdb')] }],
    });
    expect(words(walked)).toContain('predict_and_build refine autosol autobuild refine');
    expect(walked.stop.reason).toBe('converged');
  });

  it('refines what a poor predict_and_build has left before it judges it', async () => {
    const walked = await walk([dataFile(), sequenceFile()], {
      predict_and_build: [{ metrics: { r_free: 0.52 }, outputs: [modelFile('/work/b/x_overall_best.pdb')] }],
      refine: refinements(0.23),
    });
    expect(words(walked)).toBe('xtriage predict_and_build refine refine molprobity STOP converged');
  });

  it('rebuilds where refinement no longer helps and R-free is above 0.35', async () => {
    const walked = await walk([dataFile(), sequenceFile(), modelFile('/data/template.pdb')], {
      refine: refinements(0.42, 0.419, 0.28),
    });
    expect(words(walked)).toContain('refine refine autobuild refine molprobity STOP');
    expect(argvOf(walked, 'refine', 2)).toContain('/work/a/overall_best.pdb');
  });
});

describe('whole cryo-EM sessions', () => {
  const full = mapFile('/data/full_map.ccp4');
  const halves = [mapFile('/data/half_map_1.ccp4'), mapFile('/data/half_map_2.ccp4')];

  it('prediction and building into the map', async () => {
    const walked = await walk([full, sequenceFile()], {
      predict_and_build: [{ metrics: { map_cc: 0.65 }, outputs: [built] }],
      real_space_refine: realSpace(0.74, 0.742),
    });
    expect(words(walked)).toBe(
      'mtriage predict_and_build real_space_refine validation_cryoem molprobity STOP converged',
    );
    expect(states(walked)).toContain('cryoem_initial cryoem_analyzed cryoem_docked cryoem_refined');
  });

  it('docking of a template', async () => {
    const walked = await walk([full, modelFile('/data/template.pdb')], { real_space_refine: realSpace(0.74, 0.742) });
    expect(words(walked)).toBe('mtriage dock_in_map real_space_refine validation_cryoem molprobity STOP converged');
  });

  it('half maps are improved first, even beside a full map', async () => {
    const walked = await walk([full, ...halves, sequenceFile(), modelFile('/data/template.pdb')], {
      map_correlations: [{ metrics: { cc_mask: 0.72 } }],
      real_space_refine: realSpace(0.84, 0.842),
    });
    expect(words(walked)).toBe(
      'mtriage resolve_cryo_em dock_in_map real_space_refine map_correlations validation_cryoem molprobity STOP converged',
    );
    expect(states(walked)).toContain('cryoem_initial cryoem_has_model');
    expect(argvOf(walked, 'dock_in_map')).toContain('/work/v/denmod_map.ccp4');
  });

  it('step by step from the sequence', async () => {
    const walked = await walk(
      [full, sequenceFile()],
      { predict_and_build: [{ outputs: [prediction] }], real_space_refine: realSpace(0.74, 0.742) },
      { settings: { maximum_automation: false } },
    );
    expect(walked.programs.slice(0, 4)).toEqual([
      'mtriage',
      'predict_and_build',
      'process_predicted_model',
      'dock_in_map',
    ]);
  });

  it('a ligand is fitted once the correlation is above 0.6, merged and refined again', async () => {
    const inputs = [full, modelFile(), dictionaryFile('NUT'), coefficients('/data/map_coeffs_of_the_map.mtz')];
    const walked = await walk(inputs, { real_space_refine: realSpace(0.68, 0.75, 0.752) });
    expect(words(walked)).toContain('real_space_refine ligandfit pdbtools real_space_refine');
    expect(walked.stop.reason).toBe('converged');
  });
});
