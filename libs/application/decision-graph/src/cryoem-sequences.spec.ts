import {
  aCatalogue,
  argvOf,
  dataFile,
  mapFile,
  mapRefinements,
  modelFile,
  sequenceFile,
  walkBench,
  words,
} from '@fleet/testing';

const full = mapFile('/data/full_map.ccp4');
const halves = [mapFile('/data/half_map_1.ccp4'), mapFile('/data/half_map_2.ccp4')];
const mtriage = [{ metrics: { resolution: 2.99 } }];
const inPlace = [{ metrics: { cc_mask: 0.778 } }];
const elsewhere = [{ metrics: { cc_mask: 0.04 } }];
const dock_in_map = [{ outputs: [modelFile('/work/d/placed_model.pdb')] }];

const { walk } = walkBench({ runs: { mtriage, map_correlations: inPlace }, installed: 'open' });

describe('a cryo-EM session', () => {
  it('refines a placed model while the correlation grows, then validates', async () => {
    const walked = await walk([full, ...halves, modelFile()], { real_space_refine: mapRefinements(0.884, 0.886) });
    expect(words(walked)).toBe(
      'mtriage map_correlations real_space_refine real_space_refine validation_cryoem molprobity STOP converged',
    );
    expect(argvOf(walked, 'mtriage')).toEqual([
      'phenix.mtriage',
      'half_map=/data/half_map_1.ccp4',
      'half_map=/data/half_map_2.ccp4',
      'full_map=/data/full_map.ccp4',
    ]);
    expect(argvOf(walked, 'real_space_refine', 1)).toEqual([
      'phenix.real_space_refine',
      '/work/c3/rsr_001_real_space_refined_000.pdb',
      '/data/full_map.ccp4',
      'half_map=/data/half_map_1.ccp4',
      'half_map=/data/half_map_2.ccp4',
      'skip_map_model_overlap_check=True',
      'output.prefix=rsr_002',
      'resolution=2.99',
    ]);
  });

  it('gives a licensed PHENIX one full map', async () => {
    const walked = await walk(
      [full, ...halves, modelFile()],
      { real_space_refine: mapRefinements(0.884, 0.886) },
      { catalogue: aCatalogue({ provider: 'phenix' }) },
    );
    expect(argvOf(walked, 'real_space_refine').join(' ')).not.toContain('half_map');
  });

  it.each([
    ['the open program', 'open-phenix', [modelFile('/data/model.pdb')], ['/data/model.pdb']],
    ['a licensed PHENIX', 'phenix', [modelFile('/data/model.pdb')], []],
    ['the open program with half maps', 'open-phenix', [modelFile('/data/model.pdb'), ...halves], []],
    ['the open program with a prediction', 'open-phenix', [modelFile('/data/AF-P12345.pdb', { predicted: true })], []],
  ])('tells the resolution of one map by the submitted model: %s', async (_, provider, files, models) => {
    const catalogue = aCatalogue({ provider: provider === 'phenix' ? 'phenix' : 'open-phenix' });
    const walked = await walk([full, ...files], {}, { catalogue });
    expect(argvOf(walked, 'mtriage').filter((token) => token.endsWith('.pdb'))).toEqual(models);
  });

  it('docks a model that does not correlate with the map', async () => {
    const walked = await walk([full, modelFile()], {
      map_correlations: elsewhere,
      dock_in_map,
      real_space_refine: mapRefinements(0.85, 0.852),
    });
    expect(words(walked)).toBe(
      'mtriage map_correlations dock_in_map real_space_refine validation_cryoem molprobity STOP converged',
    );
    expect(argvOf(walked, 'real_space_refine')).toContain('/work/d/placed_model.pdb');
  });

  it('docks a model that lies outside the map altogether', async () => {
    const walked = await walk([full, modelFile()], {
      map_correlations: [{ fails: 'Sorry: Stopping as model is entirely outside map' }],
      dock_in_map,
      real_space_refine: mapRefinements(0.85, 0.852),
    });
    expect(walked.programs.slice(0, 4)).toEqual(['mtriage', 'map_correlations', 'dock_in_map', 'real_space_refine']);
  });

  it('processes a prediction before it docks it', async () => {
    const walked = await walk([full, modelFile('/data/AF-P12345.pdb', { predicted: true })], {
      process_predicted_model: [{ outputs: [modelFile('/work/q/AF-P12345_processed.pdb')] }],
      dock_in_map,
      real_space_refine: mapRefinements(0.8, 0.802),
    });
    expect(walked.programs.slice(0, 3)).toEqual(['mtriage', 'process_predicted_model', 'dock_in_map']);
    expect(argvOf(walked, 'dock_in_map')).toContain('/work/q/AF-P12345_processed.pdb');
  });

  it('makes a full map of half maps alone', async () => {
    const walked = await walk([...halves, modelFile()], {
      map_sharpening: [{ outputs: [mapFile('/work/s/sharpened_map.ccp4')] }],
      real_space_refine: mapRefinements(0.8, 0.802),
    });
    expect(words(walked)).toBe(
      'mtriage map_sharpening map_correlations real_space_refine real_space_refine validation_cryoem molprobity STOP converged',
    );
  });

  it('refines against half maps alone where nothing can make a full map', async () => {
    const catalogue = aCatalogue({ without: ['map_sharpening'] });
    const walked = await walk(
      [...halves, modelFile()],
      { real_space_refine: mapRefinements(0.8, 0.802) },
      { catalogue },
    );
    // One value at the target does not grow.
    expect(words(walked)).toBe('mtriage real_space_refine molprobity STOP converged');
    expect(argvOf(walked, 'real_space_refine')).toContain('half_map=/data/half_map_1.ccp4');
  });

  it('tells why half maps alone do not do for a licensed PHENIX without map sharpening', async () => {
    const catalogue = aCatalogue({ without: ['map_sharpening'], provider: 'phenix' });
    const walked = await walk([...halves, modelFile()], {}, { catalogue });
    expect(words(walked)).toBe('mtriage STOP no_program');
    expect(walked.stop.detail).toContain('half maps alone do not do');
  });

  it('looks for symmetry where there is no model, then stops', async () => {
    expect(words(await walk([full], {}))).toBe('mtriage map_symmetry STOP nothing_left');
    expect(words(await walk([full, sequenceFile()], {}))).toBe('mtriage map_symmetry STOP no_program');
  });

  it('says that the correlation grows only where it does', async () => {
    const growing = await walk([full, modelFile()], { real_space_refine: mapRefinements(0.6, 0.71, 0.86) });
    const reasons = growing.session.cycles.map(({ decision }) => decision.reasoning);
    expect(reasons[2]).not.toMatch(/grows/);
    expect(reasons[3]).toMatch(/^The map correlation 0\.600 is below the target 0\.70\./);
    expect(reasons[4]).toMatch(/^The map correlation 0\.710 meets the target 0\.70 and still grows\./);
  });

  it('stops at the limit of refinements while the correlation still grows', async () => {
    const walked = await walk([full, modelFile()], { real_space_refine: mapRefinements(0.8, 0.83, 0.86) });
    expect(words(walked)).toContain(
      'real_space_refine real_space_refine real_space_refine validation_cryoem molprobity STOP converged',
    );
  });

  it('stops at a plateau below the target', async () => {
    const walked = await walk([full, modelFile()], {
      map_correlations: [{ metrics: { cc_mask: 0.6 } }],
      real_space_refine: mapRefinements(0.602, 0.603),
    });
    expect(words(walked)).toBe(
      'mtriage map_correlations real_space_refine real_space_refine validation_cryoem molprobity STOP plateau',
    );
  });

  it('gives up a model that is not in its density', async () => {
    const walked = await walk([full, modelFile()], {
      map_correlations: elsewhere,
      dock_in_map,
      real_space_refine: mapRefinements(0.1),
    });
    expect(words(walked)).toBe('mtriage map_correlations dock_in_map real_space_refine STOP hopeless');
  });

  it('analyses the map only when asked to', async () => {
    expect(words(await walk([full, modelFile()], {}, { settings: { analysis_only: true } }))).toBe(
      'mtriage STOP goal_reached',
    );
  });

  it.each([
    [['molprobity'], 'validation_cryoem'],
    [['validation_cryoem'], 'molprobity'],
    [['molprobity', 'validation_cryoem'], 'map_correlations'],
  ])('validates with what is there when %p is not installed', async (without, validation) => {
    const walked = await walk(
      [full, modelFile()],
      { real_space_refine: mapRefinements(0.8, 0.802) },
      { catalogue: aCatalogue({ without }) },
    );
    expect(walked.programs.slice(-2)).toEqual([validation, 'STOP']);
    expect(walked.stop.reason).toBe('converged');
  });

  it('refuses reflections together with half maps, and reflections called cryo-EM', async () => {
    expect(words(await walk([dataFile(), ...halves, modelFile()], {}))).toBe('STOP red_flag');
    const called = await walk([dataFile(), modelFile()], {}, { settings: { experiment_type: 'cryoem' } });
    expect(words(called)).toBe('STOP red_flag');
    expect(called.stop.detail).toContain('only reflection data');
  });
});
