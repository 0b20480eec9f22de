import type { SessionFile } from '@fleet/contracts/sessions';
import { argvOf, dataFile, modelFile, refinements, walkBench, words, type FakeRuns } from '@fleet/testing';

const runs: FakeRuns = {
  xtriage: [{ metrics: { resolution: 2.2 } }],
  model_vs_data: [{ metrics: { r_work: 0.43, r_free: 0.47 } }],
};
const { walk } = walkBench({ runs, installed: 'open' });

/** An uninspected file. */
const unread = (path: string, changes: { readonly withoutFreeFlag?: true } = {}): SessionFile => {
  const file = dataFile(changes, path);
  delete (file.facts.mtz as { freeFlag?: string }).freeFlag;
  return { ...file, facts: { ...file.facts, assumed: true } };
};

const generate = 'xray_data.r_free_flags.generate=True';

describe('a free set is generated only if there is none', () => {
  it.each([
    '/data/data.mtz',
    '/data/overall_best_refine_data.mtz',
    '/data/PredictAndBuild_0_overall_best_refinement.mtz',
  ])('not for an uninspected file: %s', async (path) => {
    const walked = await walk([unread(path), modelFile()], { refine: refinements(0.25) });
    expect(argvOf(walked, 'refine')).toContain(path);
    expect(argvOf(walked, 'refine')).not.toContain(generate);
  });

  it('after the program has looked and found none', async () => {
    const refined = refinements(0.25);
    const walked = await walk([unread('/data/data.mtz'), modelFile()], {
      refine: (decision, cycle) => {
        if (!decision.argv.includes(generate)) return { fails: 'Sorry: No array of R-free flags found.' };
        return typeof refined === 'function' ? refined(decision, cycle) : {};
      },
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine refine molprobity STOP converged');
    expect(argvOf(walked, 'refine', 1)).toContain(generate);
  });

  it('if the client states that the file has none', async () => {
    const walked = await walk([unread('/data/data.mtz', { withoutFreeFlag: true }), modelFile()], {
      refine: refinements(0.25),
    });
    expect(argvOf(walked, 'refine')).toContain(generate);
  });
});

/** Successive refinements whose data have these free sets; R-free improves by 0.04 each time. */
const withSets =
  (...sets: readonly string[]): FakeRuns['refine'] =>
  (decision, cycle) => {
    const run = Number(/\d+$/.exec(String(decision.strategy.output_prefix))?.[0] ?? 1) - 1;
    return {
      metrics: { r_free: 0.45 - run * 0.04, r_work: 0.4 - run * 0.04 },
      outputs: [
        modelFile(`/work/c${cycle}/refine_00${run + 1}_001.pdb`),
        dataFile({ freeSet: sets[run] ?? sets.at(-1) ?? '' }, `/work/c${cycle}/refine_00${run + 1}_data.mtz`),
      ],
    };
  };

describe('the free set of every refinement is compared with the first', () => {
  it('the same set with a few outliers is not reported', async () => {
    const walked = await walk([dataFile({ freeSet: '01 02 03 04' }), modelFile()], {
      refine: withSets('01 02 03 04', '01 02 04 05', '01 02 03 05'),
    });
    expect(words(walked)).not.toContain('red_flag');
  });

  it('another set ends the session, because its R-free is meaningless', async () => {
    const walked = await walk([dataFile({ freeSet: '01 02 03 04' }), modelFile()], {
      refine: withSets('01 02 03 04', '06 07 08 09'),
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine STOP red_flag');
    expect(walked.stop.detail).toContain('The refinement of cycle 4 has other free reflections than the first one');
  });

  it('the first refinement is compared with its own input data', async () => {
    const walked = await walk([dataFile({ freeSet: '01 02 03 04' }), modelFile()], { refine: withSets('06 07 08 09') });
    expect(walked.stop.reason).toBe('red_flag');
  });
});
