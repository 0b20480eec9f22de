import {
  aCatalogue,
  dataFile,
  modelFile,
  refinements,
  sequenceFile,
  unrefined,
  usualRuns,
  walkBench,
  words,
  type FakeRun,
  type PlannedRun,
  type Walk,
} from '@fleet/testing';
import type { Chooser } from './index';

const bench = walkBench({ installed: 'all', runs: { ...usualRuns, model_vs_data: unrefined } });

/** A chooser that writes another command of a program every time, as a language model might. */
const everAnother =
  (of: string): Chooser =>
  ({ menu, session }) => {
    const program = menu.offered[0]!.program;
    return { program, reasoning: 'a test', strategy: program === of ? { cycles: session.cycle } : {} };
  };

/** Refinements of which the first `count` fail, each with a different command. */
const everDifferent = (failing: FakeRun, count = Infinity): Promise<Walk> => {
  let runs = 0;
  const refine: PlannedRun = (decision, cycle) => {
    runs += 1;
    return runs <= count ? failing : refinements(0.25)(decision, cycle);
  };
  return bench.walk([dataFile(), modelFile()], { refine }, { choose: everAnother('phenix.refine') });
};

describe('after a failure', () => {
  it('a different command may be tried once, two failures in a row end it', async () => {
    expect(words(await everDifferent({ fails: 'Sorry: something' }))).toBe(
      'xtriage model_vs_data refine refine STOP program_failed',
    );
    expect(words(await everDifferent({ fails: 'Sorry: something' }, 1))).toBe(
      'xtriage model_vs_data refine refine refine molprobity STOP converged',
    );
  });

  it.each([
    ['listed', ['Sorry: polymer crosses special position']],
    ['a crash', ['Traceback (most recent call last):', '  File "refine.py", line 1', 'KeyError: 7']],
    ['out of memory', ['MemoryError']],
  ])(
    'a terminal error removes the program from the menu at once, whatever the command: %s',
    async (_name, errorLines) => {
      const walked = await everDifferent({ fails: 'it failed', errorLines });
      expect(words(walked)).toBe('xtriage model_vs_data refine STOP program_failed');
    },
  );

  it('four failures in a session are the limit, six for a refinement', async () => {
    const walked = (program: string, failures: number): Promise<Walk> => {
      const good = refinements(0.45, 0.43, 0.41, 0.39, 0.37, 0.355, 0.34, 0.33);
      let fails = 0;
      let last = false;
      const flaky: PlannedRun = (decision, cycle) => {
        last = !last && fails < failures;
        fails += last ? 1 : 0;
        return last ? { fails: `Sorry: fault ${String(fails)}` } : good(decision, cycle);
      };
      return bench.walk(
        [dataFile(), modelFile()],
        { refine: flaky },
        { choose: everAnother(program), settings: { max_refine_cycles: 10, max_cycles: 40 } },
      );
    };
    const failed = (walk: Walk): number =>
      walk.session.cycles.filter(({ result }) => result?.outcome === 'failed').length;
    expect(failed(await walked('phenix.refine', 99))).toBe(6);
    expect(failed(await walked('phenix.refine', 3))).toBe(3);
  });
});

describe('experimental phases', () => {
  const phased = (provider: 'phenix' | 'open-phenix') => {
    const licensed = aCatalogue({ provider: 'phenix', only: ['xtriage', 'autosol', 'refine', 'molprobity'] });
    const { programs } = aCatalogue({ provider, only: ['autobuild'] });
    const autosol = { metrics: { fom: 0.5 }, outputs: [modelFile('/w/overall_best.pdb')] };
    const xtriage = { metrics: { resolution: 2.2, anomalous_measurability: 0.18 } };
    return bench.walk(
      [dataFile({ observations: [{ labels: 'I(+),SIGI(+)', kind: 'intensity', anomalous: true }] }), sequenceFile()],
      { xtriage: [xtriage], autosol: [autosol], refine: refinements(0.25) },
      { catalogue: { ...licensed, programs: [...licensed.programs, ...programs] } },
    );
  };

  it('are built into by a licensed autobuild; the open one is not trusted with it', async () => {
    expect(words(await phased('phenix'))).toContain('autosol autobuild');
    expect(words(await phased('open-phenix'))).toMatch(/autosol refine/);
  });
});
