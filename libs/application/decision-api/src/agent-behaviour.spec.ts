import { ranBefore as run, v2Bench, type RequestPart as Part } from '@fleet/testing';
import type { DecideResponse } from './response/decide-response';

const bench = v2Bench();

const xtriage = run('xtriage', { resolution: 2 });
const phaser = run('phaser', { tfz: 20, llg: 900 }, ['/d/PHASER.1.pdb']);
const refined = (...values: readonly number[]): readonly Part[] =>
  values.map((r_free, index) =>
    run('refine', { r_free, r_work: r_free - 0.03 }, [
      `/d/refine_00${String(index + 1)}_001.pdb`,
      `/d/refine_00${String(index + 1)}_001.mtz`,
    ]),
  );
const molprobity = run('molprobity', { clashscore: 2 });

const writtenBy = (history: readonly Part[]): readonly string[] =>
  history.flatMap(({ output_files }) => output_files as readonly string[]);
const ask = (history: readonly Part[], files: readonly string[], change: Part = {}): Promise<DecideResponse> =>
  bench.ask(files, history, change);
const xray = (history: readonly Part[], change: Part = {}, more: readonly string[] = []): Promise<DecideResponse> =>
  ask(history, ['/d/data.mtz', ...more, ...writtenBy(history)], change);

describe('done flags', () => {
  it.each(['FAILED', 'Sorry: bad', 'sorry bad', '*** ERROR', 'FATAL: bad', 'Traceback (most recent', 'an Exception'])(
    'are not set by a result with %j: another command of the program is tried',
    async (result) => {
      const { decision } = await xray([{ ...xtriage, result, analysis: {} }], {}, ['/d/seq.fa', '/d/template.pdb']);
      expect(decision.argv.slice(0, 2)).toEqual(['phenix.xtriage', '/d/data.mtz']);
      expect(decision.command).not.toBe(xtriage['command']);
    },
  );

  it.each(['Error model parameter', 'SUCCESS. Expected errors: 0', 'Standard error of the mean'])(
    'are set by a result with %j',
    async (result) => {
      const { decision } = await xray([xtriage, { ...phaser, result }]);
      expect(decision.argv.slice(0, 2)).toEqual(['phenix.refine', '/d/PHASER.1.pdb']);
    },
  );

  it('of a whole predict_and_build include those of a refinement: its model is placed, and refined next', async () => {
    const build = run('predict_and_build', { r_free: 0.24, r_work: 0.21 }, ['/d/PredictAndBuild_0_overall_best.pdb']);
    const { decision } = await xray([xtriage, build], {}, ['/d/seq.fa']);
    expect(decision.argv.slice(0, 2)).toEqual(['phenix.refine', '/d/PredictAndBuild_0_overall_best.pdb']);
  });

  it('of a prediction alone do not: it is processed, then placed', async () => {
    const command = 'phenix.predict_and_build input_files.seq_file=/d/seq.fa predict_and_build.stop_after_predict=True';
    const predict = run('predict_and_build', { plddt: 90 }, ['/d/PredictAndBuild_0_predicted_model.pdb'], { command });
    const settings = { maximum_automation: false };
    const first = await xray([xtriage, predict], { settings }, ['/d/seq.fa']);
    expect(first.decision.argv.slice(0, 2)).toEqual([
      'phenix.process_predicted_model',
      '/d/PredictAndBuild_0_predicted_model.pdb',
    ]);
    const process = run('process_predicted_model', {}, ['/d/PredictAndBuild_0_predicted_model_processed.pdb']);
    const second = await xray([xtriage, predict, process], { settings }, ['/d/seq.fa']);
    expect(second.decision.program).toBe('phenix.phaser');
    expect(second.decision.argv).toContain('/d/PredictAndBuild_0_predicted_model_processed.pdb');
  });

  it('are not set by a stop in the history', async () => {
    const stop = { program: 'STOP', command: 'STOP', result: 'Workflow complete' };
    const { decision } = await ask([xtriage, phaser, stop], ['/d/data.mtz', '/d/PHASER.1.pdb']);
    expect(decision.argv.slice(0, 2)).toEqual(['phenix.refine', '/d/PHASER.1.pdb']);
  });
});

describe('zombie states', () => {
  const mtriage = run('mtriage', { resolution: 3.2 });

  it.each<[string, Part, readonly string[]]>([
    [
      'predict_and_build',
      run('predict_and_build', { r_free: 0.3 }, ['/d/x_overall_best.pdb']),
      ['/d/data.mtz', '/d/seq.fa'],
    ],
    [
      'resolve_cryo_em',
      run('resolve_cryo_em', {}, ['/d/denmod_map.ccp4']),
      ['/d/half_1.mrc', '/d/half_2.mrc', '/d/seq.fa'],
    ],
    [
      'map_sharpening',
      run('map_sharpening', {}, ['/d/sharpened_map.ccp4']),
      ['/d/half_1.mrc', '/d/half_2.mrc', '/d/seq.fa'],
    ],
    ['dock_in_map', run('dock_in_map', {}, ['/d/placed_model.pdb']), ['/d/map.mrc', '/d/seq.fa']],
  ])('%s: its flag is cleared and the log says so', async (program, entry, files) => {
    const first = program === 'predict_and_build' ? xtriage : mtriage;
    const { debug, decision } = await ask([first, entry], files);
    expect(debug.log).toContainEqual(expect.stringMatching(`^PERCEIVE: ZOMBIE STATE — phenix.${program} has run`));
    expect(decision.argv.join(' ')).not.toContain(writtenBy([entry])[0]);
  });

  it.each<[string, Part, readonly string[]]>([
    ['refine', refined(0.3)[0] ?? {}, ['/d/data.mtz', '/d/other.pdb']],
    [
      'real_space_refine',
      run('real_space_refine', { map_cc: 0.7 }, ['/d/rsr_real_space_refined_000.pdb']),
      ['/d/map.mrc', '/d/other.pdb'],
    ],
    ['dock_in_map', run('dock_in_map', {}, ['/d/placed_model.pdb']), ['/d/map.mrc', '/d/other.pdb']],
  ])('%s: any model suppresses it, because its output may have been renamed', async (program, entry, files) => {
    const { debug } = await ask([program === 'refine' ? xtriage : mtriage, entry], files);
    expect(debug.log.join()).not.toContain('ZOMBIE');
  });

  it('a session whose models are all missing stops with a red flag', async () => {
    const { stop_reason, metadata } = await ask([xtriage, phaser, ...refined(0.3)], ['/d/data.mtz']);
    expect(stop_reason).toBe('red_flag');
    expect(metadata.red_flags.join()).toContain('no usable model remains');
  });
});

describe('the end of refinement', () => {
  it('is validated before the session may stop', async () => {
    const { stop, decision, metadata } = await xray([xtriage, phaser, ...refined(0.244, 0.24)]);
    expect([stop, decision.argv.slice(0, 2)]).toEqual([false, ['phenix.molprobity', '/d/refine_002_001.pdb']]);
    expect(metadata.valid_programs).not.toContain('phenix.refine');
  });

  it('does not come with the first value that is good enough', async () => {
    const { decision } = await xray([run('xtriage', { resolution: 2.5 }), phaser, ...refined(0.295)]);
    expect(decision.argv.slice(0, 2)).toEqual(['phenix.refine', '/d/refine_001_001.pdb']);
  });

  it('comes after three refinements, whatever they gain', async () => {
    const history = [xtriage, phaser, ...refined(0.45, 0.4, 0.31)];
    const { decision, metadata } = await xray(history);
    const offered = ['phenix.molprobity', 'phenix.model_vs_data', 'STOP'];
    expect([decision.program, metadata.valid_programs]).toEqual(['phenix.molprobity', offered]);
    expect((await xray([...history, molprobity])).stop_reason).toBe('refinement_limit');
  });

  it('comes after two without a gain of 0.5 %, and not after one', async () => {
    expect((await xray([xtriage, phaser, ...refined(0.315, 0.313)])).decision.program).toBe('phenix.refine');
    expect((await xray([xtriage, phaser, ...refined(0.315, 0.313, 0.311), molprobity])).stop_reason).toBe('plateau');
  });

  it('does not prevent the refinement of a merged ligand', async () => {
    const merged = [
      run('ligandfit', { ligand_cc: 0.85 }, ['/d/ligand_fit_1.pdb']),
      run('pdbtools', {}, ['/d/refine_003_001_with_ligand.pdb']),
    ];
    const { decision } = await xray([xtriage, phaser, ...refined(0.34, 0.31, 0.26), ...merged], {}, ['/d/lig.cif']);
    expect(decision.argv.slice(0, 2)).toEqual(['phenix.refine', '/d/refine_003_001_with_ligand.pdb']);
  });

  it('is suspended by new advice, for one cycle', async () => {
    const history = [xtriage, phaser, ...refined(0.24), molprobity];
    const session_state = { advice_changed: true };
    expect((await xray(history)).stop_reason).toBe('converged');
    const followed = await xray(history, { session_state });
    expect([followed.stop, followed.decision.program]).toEqual([false, 'phenix.model_vs_data']);
    const settings = { max_cycles: 4 };
    expect((await xray(history, { session_state, settings })).stop_reason).toBe('max_cycles');
  });
});

describe('the files of a command in the decision API', () => {
  it('are the locked free set before any best file', async () => {
    const session_state = { rfree_mtz: '/d/locked.mtz', best_files: { mtz: '/d/other.mtz', data_mtz: '/d/other.mtz' } };
    const { decision } = await xray([xtriage, phaser], { session_state }, ['/d/other.mtz', '/d/locked.mtz']);
    expect(decision.argv).toContain('/d/locked.mtz');
    expect(decision.argv).not.toContain('/d/other.mtz');
  });

  it('never use a fitted ligand as the model, even if the client calls it the best', async () => {
    const fit = run('ligandfit', { ligand_cc: 0.85 }, ['/d/ligand_fit_1.pdb']);
    const session_state = { best_files: { model: '/d/ligand_fit_1.pdb' } };
    const directives = { workflow_preferences: { skip_programs: ['phenix.pdbtools'] } };
    const { decision } = await xray([xtriage, phaser, ...refined(0.34), fit], {
      session_state: { ...session_state, directives },
    });
    expect(decision.argv.slice(0, 2)).toEqual(['phenix.refine', '/d/refine_001_001.pdb']);
  });

  it('are both half maps of a list', async () => {
    const halves = ['/d/a_half_1.mrc', '/d/a_half_2.mrc', '/d/b_half_1.mrc', '/d/b_half_2.mrc'];
    const session_state = { best_files: { half_map: ['/d/b_half_1.mrc', '/d/b_half_2.mrc'] } };
    const { decision } = await ask([run('mtriage', { resolution: 3.2 })], [...halves, '/d/seq.fa'], { session_state });
    expect(decision.program).toBe('phenix.resolve_cryo_em');
    expect(decision.argv.filter((token) => token.includes('half'))).toEqual(['/d/b_half_1.mrc', '/d/b_half_2.mrc']);
  });
});

describe('locks and switches of a client', () => {
  it('the experiment type stays, whatever files are added', async () => {
    const session_state = { experiment_type: 'cryoem' };
    const { decision, metadata } = await ask([], ['/d/map.mrc', '/d/data.mtz'], { session_state });
    expect([decision.program, metadata.experiment_type]).toEqual(['phenix.mtriage', 'cryoem']);
  });

  it('abort_on_red_flags and abort_on_warnings', async () => {
    const jump = [xtriage, phaser, ...refined(0.3, 0.47)];
    const flagged = (settings: Part): Promise<DecideResponse> => xray(jump, { settings });
    expect((await flagged({})).metadata.warnings.join()).toContain('R-free');
    const aborted = await flagged({ abort_on_warnings: true });
    expect([aborted.stop_reason, aborted.abort_message]).toEqual(['red_flag', aborted.decision.reasoning]);
    const gone = [xtriage, phaser, ...refined(0.3)];
    const settings = { abort_on_red_flags: false };
    const { metadata, events } = await ask(gone, ['/d/data.mtz'], { settings });
    expect(metadata.red_flags.join()).toContain('no usable model remains');
    expect(events.map(({ type }) => type)).toContain('sanity_check');
  });
});
