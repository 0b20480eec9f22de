import type { SessionDirectives, SessionFile } from '@fleet/contracts';
import {
  argvOf,
  aSession,
  aRequest,
  dataFile,
  modelFile,
  refinements,
  sequenceFile,
  walkBench,
  words,
  type FakeRuns,
  type Walk,
} from '@fleet/testing';
import type { Chooser } from './index';

const runs: FakeRuns = {
  xtriage: [{ metrics: { resolution: 2.1 } }],
  model_vs_data: [{ metrics: { r_work: 0.43, r_free: 0.47 } }],
  phaser: [{ outputs: [modelFile('/work/p/PHASER.1.pdb')] }],
  autosol: [{ outputs: [modelFile('/work/s/overall_best.pdb')] }],
  refine: refinements(0.31, 0.26, 0.24),
};

const bench = walkBench({ runs, installed: 'all' });
const walk = (
  directives: SessionDirectives,
  inputs: readonly SessionFile[] = [dataFile(), modelFile()],
  changes: FakeRuns = {},
): Promise<Walk> => bench.walk(inputs, changes, { directives });

describe('stop conditions', () => {
  it('after_program ends the session at once, unvalidated', async () => {
    const walked = await walk({ stop_conditions: { after_program: 'phenix.refine' } });
    expect(words(walked)).toBe('xtriage model_vs_data refine STOP goal_reached');
  });

  it('after_program brings a program in that the step does not offer', async () => {
    const walked = await walk({ stop_conditions: { after_program: 'phenix.polder' } });
    expect(words(walked)).toBe('xtriage model_vs_data polder STOP goal_reached');
  });

  it('after_program waits until the model is placed', async () => {
    const walked = await walk({ stop_conditions: { after_program: 'phenix.molprobity' } }, [
      dataFile(),
      modelFile('/data/template.pdb'),
    ]);
    expect(words(walked)).toBe('xtriage phaser molprobity STOP goal_reached');
  });

  it('start_with_program runs first, then the workflow continues', async () => {
    const walked = await walk({
      stop_conditions: { start_with_program: 'phenix.polder', max_refine_cycles: 1 },
      program_settings: { 'phenix.polder': { selection: 'resname MES and resseq 88' } },
    });
    expect(words(walked)).toBe('polder xtriage model_vs_data refine molprobity STOP refinement_limit');
    expect(argvOf(walked, 'polder')).toContain('selection="resname MES and resseq 88"');
  });

  it('after_cycle ends the session after that cycle', async () => {
    expect(words(await walk({ stop_conditions: { after_cycle: 2 } }))).toBe('xtriage model_vs_data STOP goal_reached');
  });

  it('max_refine_cycles lands in validation, with skip_validation in STOP', async () => {
    const limited = { max_refine_cycles: 1 };
    expect(words(await walk({ stop_conditions: limited }))).toBe(
      'xtriage model_vs_data refine molprobity STOP refinement_limit',
    );
    expect(words(await walk({ stop_conditions: { ...limited, skip_validation: true } }))).toBe(
      'xtriage model_vs_data refine STOP refinement_limit',
    );
  });

  it('r_free_target ends the session where it is reached', async () => {
    const walked = await walk({ stop_conditions: { r_free_target: 0.3 } });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine STOP goal_reached');
  });
});

describe('workflow preferences', () => {
  it('a skipped program counts as done for the steps', async () => {
    const walked = await walk({ workflow_preferences: { skip_programs: ['phenix.xtriage'] } });
    expect(walked.programs.slice(0, 2)).toEqual(['model_vs_data', 'refine']);
    expect(walked.session.cycles[0]?.decision.notOffered).toContainEqual({
      program: 'phenix.xtriage',
      why: "skipped at the submitter's request",
    });
  });

  it('refinement is left out and the model validated as it is', async () => {
    const walked = await walk({ workflow_preferences: { skip_programs: ['phenix.refine'] } });
    expect(walked.programs).not.toContain('refine');
    expect(walked.programs).toContain('molprobity');
  });

  it('a preferred program comes first wherever it may run, and the session goes its way to the end', async () => {
    const inputs = [dataFile(), modelFile('/data/template.pdb'), sequenceFile()];
    const built: FakeRuns = {
      predict_and_build: [{ metrics: { r_free: 0.31 }, outputs: [modelFile('/work/b/x_overall_best.pdb')] }],
    };
    const prefer = (program: string): SessionDirectives => ({
      workflow_preferences: { prefer_programs: [`phenix.${program}`] },
    });
    expect(words(await walk({}, inputs, built))).toBe('xtriage phaser refine refine refine molprobity STOP converged');
    expect(words(await walk(prefer('predict_and_build'), inputs, built))).toBe(
      'xtriage predict_and_build refine refine molprobity STOP converged',
    );
    expect(words(await walk(prefer('autosol'), inputs, built))).toBe(
      'xtriage phaser refine refine refine molprobity STOP converged',
    );
  });

  it('experimental phasing comes before prediction even where the statistics say little', async () => {
    const walked = await walk({ workflow_preferences: { use_experimental_phasing: true } }, [
      dataFile(),
      sequenceFile(),
    ]);
    expect(walked.programs[1]).toBe('autosol');
  });

  it('MR-SAD searches first, then phases with the placed model, then stops where asked', async () => {
    const walked = await walk(
      {
        program_settings: { 'phenix.autosol': { atom_type: 'Fe', sites: 4, wavelength: 1.1158 } },
        workflow_preferences: { use_mr_sad: true, use_experimental_phasing: true },
        stop_conditions: { after_program: 'phenix.autosol', skip_validation: true },
      },
      [dataFile(), sequenceFile(), modelFile()],
    );
    expect(words(walked)).toBe('xtriage phaser autosol STOP goal_reached');
    expect(argvOf(walked, 'autosol')).toEqual(
      expect.arrayContaining([
        'partpdb_file=/work/p/PHASER.1.pdb',
        'autosol.atom_type=Fe',
        'autosol.sites=4',
        'autosol.lambda=1.1158',
      ]),
    );
  });

  it('a model that is said to be placed is not probed', async () => {
    const walked = await walk({ workflow_preferences: { model_is_placed: true } });
    expect(walked.programs.slice(0, 2)).toEqual(['xtriage', 'refine']);
  });
});

describe('program settings', () => {
  it('the program comes before the default, and both before automatic values', async () => {
    const walked = await walk({
      program_settings: { 'phenix.refine': { resolution: 2, anisotropic_adp: true }, default: { resolution: 2.5 } },
    });
    expect(argvOf(walked, 'refine')).toEqual(
      expect.arrayContaining([
        'xray_data.high_resolution=2',
        'refine.adp.individual.anisotropic="not (water or element H)"',
      ]),
    );
  });

  it('a parameter that the program lacks is rejected visibly', async () => {
    const session = aSession({
      request: aRequest({
        inputs: [dataFile()],
        directives: { program_settings: { 'phenix.xtriage': { nonsense: 1 } } },
      }),
    });
    const { events } = await bench.decide(session);
    expect(events.map(({ message }) => message)).toContainEqual(expect.stringContaining('"nonsense" is left out'));
  });

  it('new free flags are refused while a free set is locked', async () => {
    const walked = await walk({ program_settings: { 'phenix.refine': { generate_rfree_flags: true } } });
    expect(argvOf(walked, 'refine').join(' ')).not.toContain('generate');
  });

  it("the submitter's value on the first attempt, the model's from the second", async () => {
    const choose: Chooser = ({ menu }) => ({
      program: menu.offered[0]!.program,
      reasoning: 'a test',
      strategy: menu.offered[0]!.program === 'phenix.polder' ? { selection: 'resname MES' } : {},
    });
    const walked = await bench.walk(
      [dataFile(), modelFile()],
      { polder: [{ fails: 'Sorry: bad selection' }, {}] },
      {
        choose,
        directives: {
          stop_conditions: { after_program: 'phenix.polder' },
          program_settings: { 'phenix.polder': { selection: 'solvent molecule MES' } },
        },
      },
    );
    expect(argvOf(walked, 'polder', 0)).toContain('selection="solvent molecule MES"');
    expect(argvOf(walked, 'polder', 1)).toContain('selection="resname MES"');
  });
});

describe('file preferences', () => {
  it('takes the preferred files and never the excluded ones', async () => {
    const inputs = [
      dataFile(),
      modelFile('/data/alpha_search.pdb'),
      modelFile('/data/beta_search.pdb'),
      modelFile('/data/gamma_search.pdb'),
    ];
    const walked = await walk(
      { file_preferences: { model: 'beta_search.pdb', exclude: ['alpha_search.pdb'] } },
      inputs,
    );
    expect(argvOf(walked, 'phaser')).toContain('/data/beta_search.pdb');
    expect(walked.session.cycles.flatMap(({ decision }) => decision.argv)).not.toContain('/data/alpha_search.pdb');
    expect(argvOf(walked, 'refine')).toContain('/work/p/PHASER.1.pdb');
  });
});
