import { argvOf, dataFile, dataWithoutFlags, modelFile, refinements, walkBench, type PlannedRun } from '@fleet/testing';

const bench = walkBench({
  runs: {
    xtriage: [{ metrics: { resolution: 2.1, no_twinning_suspected: true, wilson_b: 21.34 } }],
    model_vs_data: [{ metrics: { r_work: 0.17 } }],
    phaser: [{ metrics: { tfz: 24.5 }, outputs: [modelFile('/work/p/PHASER.1.pdb')] }],
  },
  installed: 'open',
});
const withoutFlags = dataWithoutFlags();
const shaken = ['modify_start_model.modify.sites.shake=0.3', 'modify_start_model.modify.adp.set_b_iso=21.3'];

const starting =
  (free: number, work: number): PlannedRun =>
  (decision, cycle) => {
    const run = refinements(0.24)(decision, cycle);
    return { ...run, metrics: { ...run.metrics, resolution: 2.1, start_r_free: free, start_r_work: work } };
  };

describe('R-free of a model that may have been refined against the free reflections', () => {
  it('becomes meaningful if the flags are generated here: the model is shaken once, and the end says so', async () => {
    const walked = await bench.walk([withoutFlags, modelFile()], { refine: refinements(0.24, 0.239) });
    expect(argvOf(walked, 'refine')).toEqual(
      expect.arrayContaining(['xray_data.r_free_flags.generate=True', ...shaken]),
    );
    expect(argvOf(walked, 'refine', 1).join(' ')).not.toContain('modify_start_model');
    expect(walked.stop.detail).toContain(
      'they were drawn here, and the submitted model was shaken before its first refinement',
    );
  });

  it('is accepted for a model that was placed here, because it comes from another crystal', async () => {
    const walked = await bench.walk([withoutFlags, modelFile()], {
      model_vs_data: [{ metrics: { r_work: 0.55 } }],
      refine: refinements(0.24, 0.239),
    });
    expect(argvOf(walked, 'refine')).toContain('xray_data.r_free_flags.generate=True');
    expect(argvOf(walked, 'refine').join(' ')).not.toContain('modify_start_model');
    expect(walked.stop.detail).not.toMatch(/shaken|independent/);
  });

  it('is reported as not independent if it began at R-work', async () => {
    const walked = await bench.walk([dataFile(), modelFile()], { refine: starting(0.203, 0.201) });
    expect(walked.stop.detail).toContain('R-free is not independent: it began no higher than R-work (0.201 and 0.203)');
    const usual = await bench.walk([dataFile(), modelFile()], { refine: starting(0.243, 0.201) });
    expect(usual.stop.detail).not.toContain('independent');
  });

  it('is accepted if no refinement has fitted the model to these data: then both begin high', async () => {
    const walked = await bench.walk([dataFile(), modelFile()], { refine: starting(0.302, 0.307) });
    expect(walked.stop.detail).not.toContain('independent');
  });
});
