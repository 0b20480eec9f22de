import { metricValue } from '@fleet/contracts/sessions';
import { argvOf, dataFile, modelFile, refinements, unrefined, usualRuns, walkBench, words } from '@fleet/testing';

const bench = walkBench({
  installed: 'open',
  runs: { ...usualRuns, model_vs_data: unrefined, refine: refinements(0.31, 0.29, 0.27) },
});

const inputs = [dataFile(), modelFile()];
const settings = { r_free_target: 0.1, max_refine_cycles: 3 };
const stated = (model: string) => ({ bestFiles: { model: [model] } });

/** Why a model may not choose files: docs/adr/0047. A client may. */
describe('a best model that a client states against the ranking', () => {
  it('ends the refinement, and is validated and delivered instead of a better one, with its own R-free in the reason', async () => {
    const usual = await bench.walk(inputs, {}, { settings });
    expect(words(usual)).toBe('xtriage model_vs_data refine refine refine molprobity STOP refinement_limit');
    const first = '/work/c3/refine_001_001.pdb';
    const walked = await bench.walk(inputs, {}, { settings, steering: stated(first) });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine molprobity STOP plateau');
    expect(argvOf(walked, 'molprobity')).toEqual(['phenix.molprobity', first]);
    expect(walked.stop.detail).toMatch(/^R-free stays at 0\.310; .* The final model is validated\./);
    expect(metricValue(walked.session.cycles[2]?.result, 'r_free')).toBe(0.31);
  });

  it('is refined as placed, though only another one was compared with the data', async () => {
    const { session } = await bench.walk(inputs, {}, { settings });
    const other = modelFile('/data/other.pdb');
    const from = session.cycles.slice(0, 2);
    const walked = await bench.walk([...inputs, other], {}, { settings, from, steering: stated(other.path) });
    expect(from.map(({ decision }) => decision.argv.at(1))).toEqual(['/data/data.mtz', '/data/model.pdb']);
    expect(words(walked)).toMatch(/^refine /);
    expect(argvOf(walked, 'refine')[1]).toBe('/data/other.pdb');
  });
});
