import {
  aFullCatalogue,
  argvOf,
  dataFile,
  modelFile,
  refinements,
  sequenceFile,
  walkBench,
  words,
  type FakeRuns,
  type PlannedRun,
  type Walk,
} from '@fleet/testing';
import { measuredOn, summaryMarkdown } from '@fleet/session-summary';

const sharp = [{ metrics: { resolution: 1.23, no_twinning_suspected: true } }];
const submitted = modelFile('/data/1g8a.pdb', { waters: 120 });
const data = dataFile({ highResolution: 1.23 });

const bench = walkBench({
  runs: { xtriage: sharp, model_vs_data: [{ metrics: { r_work: 0.153, r_free: 0.184 } }] },
  installed: 'open',
});

/** Refinements to these R-free values; each reports its initial value if `start` is given. */
const from =
  (start: number | undefined, ...rFree: readonly number[]): PlannedRun =>
  (decision, cycle) => {
    const run = refinements(...rFree)(decision, cycle);
    const startMetrics = start === undefined ? {} : { start_r_free: start, start_r_work: start - 0.032 };
    return { ...run, metrics: { ...run.metrics, ...startMetrics } };
  };

const bestModel = ({ session }: Walk): string | undefined =>
  measuredOn(session, bench.ruleBook).model?.path.split('/').at(-1);

describe('a submitted model that refinement makes worse', () => {
  it('is refined again with anisotropic B values, and a better result is delivered', async () => {
    const walked = await bench.walk([data, submitted], { refine: from(0.184, 0.186, 0.157) });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine refine molprobity STOP converged');
    expect(argvOf(walked, 'refine', 1)).toContain('refine.adp.individual.anisotropic="not (water or element H)"');
    expect(argvOf(walked, 'refine', 1)[1]).toBe('/data/1g8a.pdb');
    expect(argvOf(walked, 'molprobity')[1]).toMatch(/refine_003_001\.pdb$/);
    expect(bestModel(walked)).toBe('refine_003_001.pdb');
    expect(walked.stop.detail).not.toContain('submitted model');
  });

  it('is delivered if every refinement is worse, with a report everywhere', async () => {
    const walked = await bench.walk([data, submitted], { refine: from(0.184, 0.186, 0.1855) });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine molprobity STOP converged');
    expect(argvOf(walked, 'molprobity')[1]).toBe('/data/1g8a.pdb');
    expect(walked.stop.detail).toBe(
      'R-free 0.184 meets the target 0.220 at 1.23 Å. The submitted model is the result: its R-free is 0.1840, and refinement came to 0.1855 ' +
        'at best. The final model is validated.',
    );
    expect(bestModel(walked)).toBe('1g8a.pdb');
    const summary = summaryMarkdown(walked.session, bench.ruleBook);
    expect(summary).toContain('Of the best model, `/data/1g8a.pdb` (submitted).');
    expect(summary).toMatch(/\| R-free \| 0\.1840 \| acceptable \| refine, cycle 3, at its start \|/);
    expect(summary).toContain('- `/data/1g8a.pdb` (submitted), the best model');
  });

  it('uses the value of model_vs_data if the refinement reports no initial value', async () => {
    const walked = await bench.walk([data, submitted], { refine: from(undefined, 0.186, 0.19) });
    expect(bestModel(walked)).toBe('1g8a.pdb');
    expect(summaryMarkdown(walked.session, bench.ruleBook)).toMatch(
      /\| R-free \| 0\.1840 \| acceptable \| model\S+data, cycle 2 \|/,
    );
  });

  it('uses the best value, the submitted one, to judge whether the result is far from what the data allow', async () => {
    const xtriage = [{ metrics: { resolution: 1.9, no_twinning_suspected: true } }];
    const model_vs_data = [{ metrics: { r_work: 0.24, r_free: 0.28 } }];
    const walked = await bench.walk([dataFile(), submitted], {
      xtriage,
      model_vs_data,
      refine: from(0.28, 0.31, 0.31),
    });
    expect(walked.stop.reason).toBe('plateau');
    expect(walked.stop.detail).toContain('R-free stays at 0.280');
    expect(walked.stop.detail).toContain('The submitted model is the result');
  });
});

describe('R-free of a submitted model', () => {
  it('is not a baseline if the free set was generated here: the model was refined against those reflections', async () => {
    const mtz = Object.fromEntries(Object.entries(data.facts.mtz ?? {}).filter(([name]) => name !== 'freeFlag'));
    const unflagged = { ...data, facts: { ...data.facts, mtz: mtz as NonNullable<typeof data.facts.mtz> } };
    const walked = await bench.walk([unflagged, submitted], {
      model_vs_data: [{ metrics: { r_work: 0.16 } }],
      refine: from(0.165, 0.186, 0.18),
    });
    expect(argvOf(walked, 'refine')).toContain('xray_data.r_free_flags.generate=True');
    expect(bestModel(walked)).toBe('refine_003_001.pdb');
    expect(walked.stop.detail).not.toContain('The submitted model is the result');
    expect(walked.stop.detail).toContain('the submitted model was shaken');
  });

  it('is not a baseline if it equals R-work: then the free set was refined against as well', async () => {
    const walked = await bench.walk([data, submitted], {
      model_vs_data: [{ metrics: { r_work: 0.18, r_free: 0.181 } }],
      refine: from(undefined, 0.2, 0.19),
    });
    expect(bestModel(walked)).toBe('refine_003_001.pdb');
  });

  it('is not a baseline for a model with a ligand that the submitted one lacks', async () => {
    const refined = modelFile('/work/r/refine_002_L_001.pdb', { ligandCodes: ['NUT'] });
    const walked = await bench.walk([data, submitted], {
      refine: [{ metrics: { r_free: 0.19, start_r_free: 0.184, start_r_work: 0.15 }, outputs: [refined] }],
    });
    expect(bestModel(walked)).toBe('refine_002_L_001.pdb');
  });
});

/** A refinement without improvement that left the model unchanged. */
const unchangedModel =
  (rFree: number): PlannedRun =>
  (decision, cycle) => {
    const run = refinements(rFree)(decision, cycle);
    return { ...run, metrics: { ...run.metrics, start_r_free: rFree, start_r_work: run.metrics?.r_work ?? 0 } };
  };

describe('a refinement that leaves the model unchanged', () => {
  const runs: FakeRuns = {
    xtriage: [{ metrics: { resolution: 1.8, no_twinning_suspected: true } }],
    model_vs_data: [{ metrics: { r_work: 0.4331, r_free: 0.441 } }],
    refine: unchangedModel(0.4343),
  };

  it('is not repeated with its own output: the session validates, and reports a poor result', async () => {
    const walked = await bench.walk([dataFile(), submitted], runs, { settings: { max_refine_cycles: 6 } });
    expect(words(walked)).toBe('xtriage model_vs_data refine molprobity STOP unsatisfactory');
  });

  it('continues with a new model, which is refined in turn', async () => {
    const built = modelFile('/work/a/overall_best.pdb');
    const walked = await bench.walk(
      [dataFile(), submitted, sequenceFile()],
      { ...runs, autobuild: [{ metrics: { r_free: 0.42 }, outputs: [built] }] },
      { catalogue: aFullCatalogue(bench.ruleBook), settings: { max_refine_cycles: 6 } },
    );
    expect(walked.programs.slice(0, 5)).toEqual(['xtriage', 'model_vs_data', 'refine', 'autobuild', 'refine']);
    expect(argvOf(walked, 'refine', 1)[1]).toBe('/work/a/overall_best.pdb');
  });

  it('is repeated with another command: waters may help', async () => {
    const walked = await bench.walk([dataFile(), submitted], { ...runs, refine: unchangedModel(0.31) });
    expect(argvOf(walked, 'refine', 0)).not.toContain('ordered_solvent=True');
    expect(argvOf(walked, 'refine', 1)).toContain('ordered_solvent=True');
    expect(argvOf(walked, 'refine', 2)).toEqual([]);
  });
});

describe('a refinement that would repeat an earlier one', () => {
  it('is not run, nor counted for the plateau: the session validates and says why', async () => {
    const xtriage = [{ metrics: { resolution: 1.9, no_twinning_suspected: true } }];
    const model_vs_data = [{ metrics: { r_work: 0.24, r_free: 0.28 } }];
    const walked = await bench.walk(
      [dataFile(), submitted],
      { xtriage, model_vs_data, refine: from(0.28, 0.31, 0.3, 0.29) },
      { settings: { max_refine_cycles: 6 } },
    );
    expect(words(walked)).toBe('xtriage model_vs_data refine refine molprobity STOP plateau');
    expect(argvOf(walked, 'refine', 1)[1]).toBe('/data/1g8a.pdb');
    expect(argvOf(walked, 'refine', 1)).toContain('ordered_solvent=True');
    expect(walked.stop.detail).toContain(
      'R-free stays at 0.280; another refinement would repeat an earlier one. The target was 0.260.',
    );
  });
});
