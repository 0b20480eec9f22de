import { argvOf, aSession, dataFile, modelFile, refinements, sequenceFile, walkBench, words } from '@fleet/testing';

const xtriage = [{ metrics: { resolution: 1.6, no_twinning_suspected: true } }];
const placed = [{ metrics: { r_work: 0.43, r_free: 0.49 } }];

const bench = walkBench({ runs: { xtriage, model_vs_data: placed }, installed: 'open' });
const { walk } = bench;

describe('a refinement worse than the data allow', () => {
  it('reports a result far below what its resolution allows as unsatisfactory, with the likeliest cause first', async () => {
    const analysed = [{ metrics: { resolution: 1.6, no_twinning_suspected: true, n_residues: 140 } }];
    const few = { polymerResidues: 42 };
    const walked = await walk([dataFile(), modelFile('/data/cut.pdb', few)], {
      xtriage: analysed,
      refine: [{ metrics: { r_free: 0.482, r_work: 0.45 }, outputs: [modelFile('/work/r/refine_001_001.pdb', few)] }],
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine molprobity STOP unsatisfactory');
    expect(walked.stop.detail).toBe(
      'The result is unsatisfactory: R-free 0.482 is far above what data to 1.60 Å allow (0.241 is acceptable). The model holds 42 of ' +
        'about 140 residues of the asymmetric unit: parts of the structure are probably missing. The geometry of the final model is ' +
        'validated; its fit to the data is not good. Correct the model and resume with it, or submit again; it is not ready to be used as it is.',
    );
  });

  it('continues from the best model after a jump upwards, without rebuilding a good model', async () => {
    const walked = await walk([dataFile(), modelFile(), sequenceFile()], { refine: refinements(0.28, 0.46, 0.27) });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine refine molprobity STOP refinement_limit');
    expect(argvOf(walked, 'refine', 2)[1]).toMatch(/refine_001_001\.pdb$/);
    expect(argvOf(walked, 'molprobity')[1]).toMatch(/refine_003_001\.pdb$/);
    expect(walked.stop.detail).toContain('R-free is 0.270');
  });

  it('refines anisotropically beyond 1.5 Å before ending at a reached target', async () => {
    const sharp = [{ metrics: { resolution: 1.23, no_twinning_suspected: true } }];
    const walked = await walk([dataFile({ highResolution: 1.23 }), modelFile()], {
      xtriage: sharp,
      refine: refinements(0.186, 0.157),
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine refine molprobity STOP converged');
    expect(argvOf(walked, 'refine', 1)).toContain('refine.adp.individual.anisotropic="not (water or element H)"');
  });
});

describe('an analysis that fails', () => {
  it('continues without the analysis when it crashes, and warns', async () => {
    const walked = await walk([dataFile(), modelFile()], {
      xtriage: [{ fails: 'Segmentation fault (core dumped)' }],
      refine: refinements(0.24),
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine molprobity STOP converged');
    const { request, cycles } = walked.session;
    const outcome = await bench.decide(aSession({ cycle: 2, cycles: cycles.slice(0, 1), request }));
    expect(outcome.events.map(({ data }) => data['id'])).toContain('data_not_analysed');
  });

  it('stops with the known problem of the data, which would affect every program', async () => {
    const walked = await walk([dataFile(), modelFile()], {
      xtriage: [{ fails: 'Sorry: No unit cell info available' }],
    });
    expect(words(walked)).toBe('xtriage STOP program_failed');
  });
});
