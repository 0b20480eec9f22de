import { dataFile, mapFile, modelFile, type FakeRuns, type PlannedRun, type WalkBench } from '@fleet/testing';
import type { EndedExample } from './stop-sessions';

const about = 'refinement bought its fit with the geometry of the model';

const refinedTo =
  (metrics: Readonly<Record<string, number>>, name: string): PlannedRun =>
  (_, cycle) => ({ metrics, outputs: [modelFile(`/work/c${String(cycle)}/${name}.pdb`)] });

const example = (input: ReturnType<typeof dataFile>, runs: FakeRuns): EndedExample => ({
  about,
  end: async (bench: WalkBench) => (await bench.walk([input, modelFile()], runs)).stop,
});

/** Ends of sessions whose model fits, and is worse in its geometry than the submitted one. */
export const geometryEnds = {
  xray: example(dataFile(), {
    xtriage: [{ metrics: { resolution: 2.1, no_twinning_suspected: true } }],
    model_vs_data: [{ metrics: { r_work: 0.29, r_free: 0.3 } }],
    refine: refinedTo(
      { r_free: 0.24, r_work: 0.21, start_ramachandran_favored: 97.2, ramachandran_favored: 91.4 },
      'refine_001_001',
    ),
  }),
  cryoem: example(mapFile('/data/full_map.ccp4'), {
    mtriage: [{ metrics: { resolution: 2.99 } }],
    map_correlations: [{ metrics: { cc_mask: 0.6 } }],
    real_space_refine: refinedTo(
      { map_cc: 0.82, start_clashscore: 6.85, clashscore: 31.7 },
      'rsr_real_space_refined_000',
    ),
  }),
};
