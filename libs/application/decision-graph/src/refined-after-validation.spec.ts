import { argvOf, dataFile, modelFile, refinements, unrefined, usualRuns, walkBench, words } from '@fleet/testing';

const bench = walkBench({
  installed: 'all',
  runs: { ...usualRuns, model_vs_data: unrefined, molprobity: [{ metrics: { clashscore: 3 } }] },
});
const files = [dataFile(), modelFile()];

/** A session that ended at its limit of refinements with a validated model, and is resumed with a higher limit. */
const resumedWith = async (...values: readonly number[]) => {
  const runs = { refine: refinements(...values) };
  const settings = { r_free_target: 0.1, max_refine_cycles: 2 };
  const first = await bench.walk(files, runs, { settings });
  expect(words(first)).toBe('xtriage model_vs_data refine refine molprobity STOP refinement_limit');
  return bench.walk(files, runs, { settings: { ...settings, max_refine_cycles: 4 }, from: first.session.cycles });
};

describe('a session that refines again after a validation', () => {
  it('validates the final best model, not only its predecessor', async () => {
    const walked = await resumedWith(0.31, 0.3, 0.28, 0.27);
    expect(words(walked)).toBe('refine refine molprobity STOP refinement_limit');
    expect(argvOf(walked, 'molprobity', 1)).toEqual(['phenix.molprobity', '/work/c7/refine_004_001.pdb']);
  });

  it('ends with the validated model if no refinement improved it', async () => {
    const walked = await resumedWith(0.31, 0.3, 0.32);
    expect(words(walked)).toBe('refine molprobity STOP plateau');
    expect(argvOf(walked, 'molprobity', 1)).toEqual(argvOf(walked, 'molprobity'));
    expect(walked.stop.detail).toContain('The final model is validated.');
  });
});
