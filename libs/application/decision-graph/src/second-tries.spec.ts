import type { DecisionRecord } from '@fleet/contracts';
import {
  aCatalogue,
  argvOf,
  dataFile,
  dictionaryFile,
  mapFile,
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

/** A chooser that writes another command of a program every time, as a language model would. */
const everAnother =
  (of: string): Chooser =>
  ({ menu, session }) => {
    const program = menu.offered[0]!.program;
    return { program, reasoning: 'a test', strategy: program === of ? { cycles: session.cycle } : {} };
  };

/** Refinements of which the first `count` fail, each with a command of its own. */
const everDifferent = (failing: FakeRun, count = Infinity): Promise<Walk> => {
  let runs = 0;
  const refine: PlannedRun = (decision, cycle) => {
    runs += 1;
    return runs <= count ? failing : refinements(0.25)(decision, cycle);
  };
  return bench.walk([dataFile(), modelFile()], { refine }, { choose: everAnother('phenix.refine') });
};

describe('after a failure', () => {
  it('a command that differs may be tried once, two failures in a row end it', async () => {
    expect(words(await everDifferent({ fails: 'Sorry: something' }))).toBe(
      'xtriage model_vs_data refine refine STOP program_failed',
    );
    expect(words(await everDifferent({ fails: 'Sorry: something' }, 1))).toBe(
      'xtriage model_vs_data refine refine refine molprobity STOP converged',
    );
  });

  it('the same command is never run again', async () => {
    const walked = await bench.walk([dataFile(), modelFile()], { refine: [{ fails: 'Sorry: something' }] });
    expect(words(walked)).toBe('xtriage model_vs_data refine STOP program_failed');
    expect(walked.stop.detail).toContain('Sorry: something');
  });

  it.each([
    ['listed', ['Sorry: polymer crosses special position']],
    ['a crash', ['Traceback (most recent call last):', '  File "refine.py", line 1', 'KeyError: 7']],
    ['out of memory', ['MemoryError']],
  ])('a terminal error takes the program off the menu at once, whatever the command: %s', async (_name, errorLines) => {
    const walked = await everDifferent({ fails: 'it failed', errorLines });
    expect(words(walked)).toBe('xtriage model_vs_data refine STOP program_failed');
  });

  it('a terminal error is forgotten once its input has changed', async () => {
    const outside = { fails: 'Sorry: model is entirely outside map' };
    const walked = await bench.walk([mapFile('/data/map.ccp4'), modelFile()], {
      map_correlations: [outside],
      dock_in_map: [{ outputs: [modelFile('/work/d/placed_model.pdb')] }],
      real_space_refine: [{ metrics: { map_cc: 0.8 }, outputs: [modelFile('/w/rsr_001_real_space_refined_000.pdb')] }],
    });
    expect(walked.programs.slice(0, 4)).toEqual(['mtriage', 'map_correlations', 'dock_in_map', 'real_space_refine']);
  });

  it('four failures in a session are enough, six of a refinement', async () => {
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

  it('a parameter that the installation does not know is left out of the next run, visibly', async () => {
    const good = refinements(0.25);
    let runs = 0;
    const walked = await bench.walk(
      [dataFile(), modelFile()],
      {
        refine: (decision, cycle) => {
          runs += 1;
          return runs === 1 || typeof good !== 'function'
            ? {
                fails: 'Sorry',
                errorLines: ['Sorry: Unknown command line parameter definition: refinement.refine.strategy = x'],
              }
            : good(decision, cycle);
        },
      },
      { directives: { program_settings: { 'phenix.refine': { tls: true } } } },
    );
    expect(argvOf(walked, 'refine').join(' ')).toContain('refinement.refine.strategy=individual_sites');
    expect(argvOf(walked, 'refine', 1).join(' ')).not.toContain('refinement.refine.strategy');
    expect(walked.stop.reason).toBe('converged');
  });

  it('what the open programs cannot do is left out too', async () => {
    const refusal =
      'Sorry: refinement.refine.strategy=individual_sites+tls changes the result, and Servalcat cannot do it; take it out or run PHENIX itself';
    const good = refinements(0.25);
    let runs = 0;
    const walked = await bench.walk(
      [dataFile(), modelFile()],
      {
        refine: (decision, cycle) => {
          runs += 1;
          return runs === 1 || typeof good !== 'function' ? { fails: refusal } : good(decision, cycle);
        },
      },
      { directives: { program_settings: { 'phenix.refine': { tls: true } } } },
    );
    expect(argvOf(walked, 'refine', 1).join(' ')).not.toContain('tls');
  });
});

describe('where phenix.refine is skipped or cannot run', () => {
  const inputs = [dataFile(), sequenceFile(), modelFile('/data/template.pdb')];

  it('left out: autobuild rebuilds the placed model, then it is validated', async () => {
    const directives = { workflow_preferences: { skip_programs: ['phenix.refine'] } };
    const walked = await bench.walk(inputs, {}, { directives });
    expect(words(walked)).toBe('xtriage phaser autobuild molprobity STOP refinement_limit');
    expect(walked.stop.detail).toBe(
      "phenix.refine was skipped at the submitter's request. The final model is validated.",
    );
  });

  it('failing: the same, and the stop says so', async () => {
    const walked = await bench.walk(inputs, { refine: [{ fails: 'Sorry: something' }] });
    expect(words(walked)).toContain('xtriage phaser refine autobuild');
    expect(walked.programs.at(-2)).toBe('molprobity');
    expect(walked.stop.reason).toBe('program_failed');
  });
});

describe('a model that refinement leaves above the target', () => {
  const runs = { refine: refinements(0.33, 0.329, 0.27, 0.269), model_vs_data: [{ metrics: { r_free: 0.38 } }] };

  it('is rebuilt if molecular replacement placed it, then refined', async () => {
    const walked = await bench.walk([dataFile(), sequenceFile(), modelFile('/data/template.pdb')], runs);
    expect(words(walked)).toMatch(/^xtriage phaser refine refine autobuild refine /);
  });

  it('is not rebuilt below 0.35 if it was submitted as the model of this crystal', async () => {
    const walked = await bench.walk([dataFile(), sequenceFile(), modelFile()], runs);
    expect(words(walked)).toMatch(/^xtriage model_vs_data refine refine /);
    expect(walked.programs).not.toContain('phenix.autobuild');
  });

  it('is rebuilt by the open program as well, which needs no phases but the model', async () => {
    const catalogue = aCatalogue({
      provider: 'open-phenix',
      only: ['xtriage', 'phaser', 'refine', 'autobuild', 'molprobity'],
    });
    const walked = await bench.walk([dataFile(), sequenceFile(), modelFile('/data/template.pdb')], runs, { catalogue });
    expect(words(walked)).toMatch(/^xtriage phaser refine refine autobuild refine /);
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

  it('are built into by a licensed autobuild; the open one is not believed to', async () => {
    expect(words(await phased('phenix'))).toContain('autosol autobuild');
    expect(words(await phased('open-phenix'))).toMatch(/autosol refine/);
  });
});

describe('a model that stays wrong', () => {
  it('is given up for a predicted one where refinement and rebuilding leave R-free above 0.45', async () => {
    const predicted = { metrics: { r_free: 0.26, r_work: 0.22 }, outputs: [modelFile('/w/PB_overall_best.pdb')] };
    const walked = await bench.walk(
      [dataFile(), sequenceFile(), modelFile('/data/template.pdb')],
      { refine: refinements(0.48, 0.479, 0.47, 0.469), predict_and_build: [predicted] },
      { settings: { max_refine_cycles: 6 } },
    );
    expect(words(walked)).toBe(
      'xtriage phaser refine refine autobuild refine predict_and_build refine molprobity STOP converged',
    );
  });

  it('is docked where it was refined out of its density, and given up after that', async () => {
    const directives = { workflow_preferences: { model_is_placed: true } };
    const files = [mapFile('/data/map.ccp4'), modelFile()];
    const rsr =
      (...values: readonly number[]) =>
      (decision: DecisionRecord, cycle: number): FakeRun => ({
        metrics: {
          map_cc: values[Number(/\d+$/.exec(String(decision.strategy['output_prefix']))?.[0] ?? 1) - 1] ?? 0.8,
        },
        outputs: [modelFile(`/w/c${String(cycle)}/rsr_real_space_refined_000.pdb`)],
      });
    const dock_in_map = [{ outputs: [modelFile('/work/d/placed_model.pdb')] }];
    const saved = await bench.walk(files, { dock_in_map, real_space_refine: rsr(0.02, 0.78, 0.782) }, { directives });
    expect(words(saved)).toBe(
      'mtriage real_space_refine dock_in_map real_space_refine validation_cryoem molprobity STOP converged',
    );
    expect(argvOf(saved, 'real_space_refine', 1)).toContain('/work/d/placed_model.pdb');
    const lost = await bench.walk(files, { dock_in_map, real_space_refine: rsr(0.02, 0.03) }, { directives });
    expect(words(lost)).toBe('mtriage real_space_refine dock_in_map real_space_refine STOP hopeless');
  });
});

describe('a ligand in a map', () => {
  const files = [mapFile('/data/map.ccp4'), modelFile(), dictionaryFile('NUT')];
  const refined = { metrics: { map_cc: 0.8 }, outputs: [modelFile('/w/rsr_001_real_space_refined_000.pdb')] };
  const common = { map_correlations: [{ metrics: { cc_mask: 0.79 } }], real_space_refine: [refined] };

  it('gets the map coefficients that PHENIX writes when it sharpens', async () => {
    const coefficients = dataFile({ observations: [], mapCoefficients: ['FWT,PHWT'] }, '/w/s/sharpened_map_coeffs.mtz');
    const walked = await bench.walk(files, {
      ...common,
      map_sharpening: [{ outputs: [mapFile('/w/s/sharpened_map.ccp4'), coefficients] }],
    });
    expect(words(walked)).toContain('real_space_refine map_sharpening ligandfit');
    expect(argvOf(walked, 'ligandfit')).toContain('data=/w/s/sharpened_map_coeffs.mtz');
  });

  it('is not fitted where nothing makes them, and the stop says what to submit', async () => {
    const walked = await bench.walk(files, {
      ...common,
      map_sharpening: [{ outputs: [mapFile('/w/s/sharpened_map.ccp4')] }],
    });
    expect(walked.programs).not.toContain('ligandfit');
    expect(walked.stop.detail).toContain('submit an MTZ file of them');
  });
});
