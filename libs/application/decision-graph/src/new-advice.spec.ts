import type { SessionDirectives, SessionFile } from '@fleet/contracts';
import {
  argvOf,
  dataFile,
  modelFile,
  refinements,
  sequenceFile,
  usualRuns,
  walkBench,
  withOutputs,
  words,
  type Walk,
} from '@fleet/testing';

const bench = walkBench({ installed: 'all', runs: { ...usualRuns, refine: refinements(0.25, 0.24, 0.23, 0.22) } });
const files = [dataFile(), modelFile()];

const holdingLigand = (file: SessionFile): SessionFile =>
  file.facts.model === undefined ? file : modelFile(file.path, { ligandCodes: ['MES'] });

/** A finished session that gets new directives. */
const thenAsked = async (directives: SessionDirectives, before: SessionDirectives = {}): Promise<Walk> => {
  const first = await bench.walk(files, {}, { directives: before });
  const from = first.session.cycles;
  return bench.walk(files, {}, { from, directives, steering: { adviceChangedAfter: from.at(-1)?.cycle ?? 0 } });
};

describe('what new advice asks for counts from then on', () => {
  it('a last program that ran before runs again, and the end says so truly', async () => {
    const walked = await thenAsked({ stop_conditions: { after_program: 'phenix.refine', skip_validation: true } });
    expect(words(walked)).toBe('refine STOP goal_reached');
    expect(walked.session.cycles.at(-1)?.decision.program).toBe('phenix.refine');
    expect(walked.stop.detail).toContain('phenix.refine has run');
  });

  it('a first program that ran before runs again', async () => {
    const walked = await thenAsked({ stop_conditions: { start_with_program: 'phenix.refine' } });
    expect(words(walked)).toBe('refine molprobity STOP converged');
  });

  it('refinements that are allowed are further ones', async () => {
    const limited: SessionDirectives = { stop_conditions: { max_refine_cycles: 1, r_free_target: 0.1 } };
    const walked = await thenAsked({ stop_conditions: { max_refine_cycles: 2, r_free_target: 0.1 } }, limited);
    expect(words(walked)).toBe('refine refine molprobity STOP refinement_limit');
  });

  it('cycles that are allowed are further ones, where that many are done already', async () => {
    const walked = await thenAsked({ stop_conditions: { after_cycle: 1 } });
    expect(words(walked)).toBe('model_vs_data STOP goal_reached');
    expect(walked.stop.detail).toContain('7 cycles are done, and the submitter asked to stop after 7.');
  });

  it('a cycle that lies ahead is meant by its number', async () => {
    const limited: SessionDirectives = { stop_conditions: { max_refine_cycles: 1, r_free_target: 0.1 } };
    const walked = await thenAsked({ stop_conditions: { after_cycle: 6, r_free_target: 0.1 } }, limited);
    expect(walked.session.cycles).toHaveLength(6);
    expect(walked.stop.reason).toBe('goal_reached');
  });
});

describe('the menu after new advice', () => {
  const menuOf = ({ session, programs }: Walk): readonly string[] =>
    session.cycles.at(1 - programs.length)?.decision.validPrograms ?? [];
  const withLigand = [dataFile(), modelFile('/data/model.pdb', { ligandCodes: ['MES'] })];

  it('holds what can be looked at, and STOP', async () => {
    const runs = { refine: withOutputs(refinements(0.25), holdingLigand) };
    const first = await bench.walk(withLigand, runs);
    const from = first.session.cycles;
    const steering = { adviceChangedAfter: from.at(-1)?.cycle ?? 0 };
    const resumed = await bench.walk(withLigand, runs, { from, steering });
    expect(words(resumed)).toBe('polder STOP converged');
    expect(menuOf(resumed)).toEqual([
      'phenix.polder',
      'phenix.model_vs_data',
      'phenix.map_correlations',
      'phenix.molprobity',
      'STOP',
    ]);
  });

  it('takes the map of the last refinement for its correlation with the model', async () => {
    const walked = await thenAsked({ stop_conditions: { start_with_program: 'phenix.map_correlations' } });
    expect(words(walked)).toBe('map_correlations STOP converged');
    expect(argvOf(walked, 'map_correlations')).toContain('input_files.map_coeffs_1=/work/c5/refine_003_001.mtz');
  });

  it('holds both validation programs and STOP at the limit of refinements', async () => {
    const limited: SessionDirectives = { stop_conditions: { max_refine_cycles: 1, r_free_target: 0.1 } };
    const walked = await bench.walk(files, {}, { directives: limited });
    expect(words(walked)).toBe('xtriage model_vs_data refine molprobity STOP refinement_limit');
    expect(walked.session.cycles[3]?.decision.validPrograms).toEqual([
      'phenix.molprobity',
      'phenix.model_vs_data',
      'STOP',
    ]);
  });
});

describe('settings of a program', () => {
  it('that places models force no search for one that stands in its place', async () => {
    const walked = await bench.walk(
      files,
      {},
      { directives: { program_settings: { 'phenix.phaser': { copies: 4 } } } },
    );
    expect(words(walked)).toBe('xtriage model_vs_data refine refine refine molprobity STOP converged');
    expect(walked.session.cycles[2]?.decision.validPrograms).toEqual(['phenix.refine', 'phenix.phaser']);
  });

  it('of an earlier step offer it, after what the step has itself', async () => {
    const directives = { program_settings: { 'phenix.predict_and_build': { quick: true } } };
    const walked = await bench.walk([...files, sequenceFile()], {}, { directives });
    expect(walked.session.cycles[2]?.decision.validPrograms).toEqual(['phenix.refine', 'phenix.predict_and_build']);
  });
});
