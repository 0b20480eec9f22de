import type { SessionDirectives, SessionFile } from '@fleet/contracts';
import {
  aCycle,
  aDecision,
  aRequest,
  aResult,
  argvOf,
  aSession,
  dataFile,
  dictionaryFile,
  mapFile,
  modelFile,
  sequenceFile,
  usualRuns,
  walkBench,
  words,
  type FakeRuns,
} from '@fleet/testing';

const bench = walkBench({ installed: 'all', runs: usualRuns });
const walk = (inputs: readonly SessionFile[], runs: FakeRuns = {}, directives: SessionDirectives = {}) =>
  bench.walk(inputs, runs, { directives });

const misplaced = [{ metrics: { r_work: 0.55, r_free: 0.56 } }];
const prediction = modelFile('/data/AF-P12345.pdb', { predicted: true });
const full = mapFile('/data/map.ccp4');
const rsr = (map_cc: number, run: number) => ({
  metrics: { map_cc },
  outputs: [modelFile(`/w/rsr_00${run}_real_space_refined_000.pdb`)],
});
const ligand = {
  ligandfit: [{ outputs: [modelFile('/work/l/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['NUT'] })] }],
  pdbtools: [{ outputs: [modelFile('/work/m/x_with_ligand.pdb', { ligandCodes: ['NUT'] })] }],
} satisfies FakeRuns;

describe('experimental phasing that was asked for', () => {
  const wish: SessionDirectives = { workflow_preferences: { use_experimental_phasing: true } };
  const inputs = [dataFile(), sequenceFile(), modelFile()];

  it('comes before the model that lies beside the data', async () => {
    const walked = await walk(inputs, {}, wish);
    expect(words(walked)).toBe('xtriage autosol autobuild refine refine molprobity STOP converged');
  });

  it('is not a prediction where molecular replacement is skipped', async () => {
    const walked = await walk(
      [dataFile(), sequenceFile(), modelFile('/data/template.pdb')],
      {},
      {
        workflow_preferences: { use_experimental_phasing: true, skip_programs: ['phenix.autobuild', 'phenix.phaser'] },
      },
    );
    expect(words(walked)).toBe('xtriage autosol refine refine molprobity STOP converged');
  });

  it('gives way to the model when it fails', async () => {
    const walked = await walk(inputs, { autosol: [{ fails: 'Sorry: no sites found' }] }, wish);
    expect(words(walked)).toBe('xtriage autosol model_vs_data refine refine molprobity STOP converged');
  });
});

describe('a prediction beside a model', () => {
  it('is not searched with where the model is in its place', async () => {
    expect(words(await walk([dataFile(), modelFile('/data/refine_010.pdb'), prediction]))).toBe(
      'xtriage model_vs_data refine refine molprobity STOP converged',
    );
    const walked = await walk([full, modelFile('/data/docked.pdb'), prediction], {
      map_correlations: [{ metrics: { cc_mask: 0.7 } }],
      real_space_refine: [rsr(0.78, 1), rsr(0.781, 2)],
    });
    expect(words(walked)).toBe(
      'mtriage map_correlations real_space_refine real_space_refine validation_cryoem molprobity STOP converged',
    );
  });

  it('is processed and searched with where it is not', async () => {
    const walked = await walk([dataFile(), modelFile(), prediction], {
      model_vs_data: misplaced,
      process_predicted_model: [{ outputs: [modelFile('/work/q/AF-P12345_processed.pdb')] }],
    });
    expect(words(walked)).toBe(
      'xtriage model_vs_data process_predicted_model phaser refine refine molprobity STOP converged',
    );
    expect(argvOf(walked, 'phaser')).toContain('/work/q/AF-P12345_processed.pdb');
  });
});

describe('wishes that exclude each other', () => {
  const told = async (directives: SessionDirectives, inputs: readonly SessionFile[] = [dataFile(), modelFile()]) => {
    const { events } = await bench.decide(aSession({ request: aRequest({ inputs, directives }) }));
    return events.filter(({ type }) => type === 'user_request_invalid').map(({ message }) => message);
  };

  it('are told once: to stop after a program that is to be left out', async () => {
    const directives: SessionDirectives = {
      stop_conditions: { after_program: 'phenix.phaser' },
      workflow_preferences: { skip_programs: ['phenix.phaser'] },
    };
    expect(await told(directives)).toEqual([
      "phenix.phaser was requested (stop_conditions.after_program) but is unavailable: skipped at the submitter's request.",
    ]);
    const cycles = [aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result: aResult({}) })];
    const request = aRequest({ inputs: [dataFile(), modelFile()], directives });
    const { events } = await bench.decide(aSession({ cycle: 2, cycles, request }));
    expect(events.map(({ type }) => type)).not.toContain('user_request_invalid');
  });

  it('are told: a program of the other experiment, one that lacks its files, a file that is not there', async () => {
    expect(await told({ workflow_preferences: { prefer_programs: ['phenix.dock_in_map'] } })).toEqual([
      expect.stringContaining('phenix.dock_in_map'),
    ]);
    expect(await told({ stop_conditions: { start_with_program: 'phenix.polder' } }, [dataFile()])).toEqual([
      expect.stringContaining('it needs a model'),
    ]);
    expect(await told({ file_preferences: { model: 'beta.pdb' } })).toEqual([
      'beta.pdb was requested (file_preferences.model) but is unavailable: it is not a file of this session.',
    ]);
  });

  it('are none where the program can run, now or later', async () => {
    const directives: SessionDirectives = {
      stop_conditions: { after_program: 'phenix.refine' },
      program_settings: { 'phenix.refine': { cycles: 5 }, default: { resolution: 2 } },
      file_preferences: { model: 'model.pdb' },
    };
    expect(await told(directives)).toEqual([]);
  });
});

describe('a ligand that is merged while refinement may not or cannot run', () => {
  const built = { predict_and_build: [{ metrics: { r_free: 0.3 }, outputs: [modelFile('/w/PB_overall_best.pdb')] }] };

  it('is validated where refinement is left out: what is skipped counts as done', async () => {
    const map = dataFile({ observations: [], mapCoefficients: ['FWT,PHWT'] }, '/data/map_coeffs.mtz');
    const walked = await walk(
      [dataFile(), sequenceFile(), dictionaryFile('NUT'), map],
      { ...built, ...ligand },
      { workflow_preferences: { skip_programs: ['phenix.refine'] } },
    );
    expect(words(walked)).toBe('xtriage predict_and_build ligandfit pdbtools polder molprobity STOP refinement_limit');
  });

  it('is validated in cryo-EM where refinement fails with it', async () => {
    const map = dataFile({ observations: [], mapCoefficients: ['FWT,PHWT'] }, '/data/map_coeffs.mtz');
    const walked = await bench.walk(
      [full, modelFile(), dictionaryFile('NUT'), map],
      {
        ...ligand,
        map_correlations: [{ metrics: { cc_mask: 0.7 } }],
        real_space_refine: [rsr(0.78, 1), { fails: 'Sorry: Fatal problems interpreting model file' }],
      },
      { settings: { experiment_type: 'cryoem' } },
    );
    expect(words(walked)).toBe(
      'mtriage map_correlations real_space_refine ligandfit pdbtools real_space_refine validation_cryoem molprobity STOP program_failed',
    );
  });
});
