import {
  dataFile,
  dataWithoutFlags,
  mapFile,
  modelFile,
  refinements,
  type FakeRuns,
  type PlannedRun,
  type WalkBench,
} from '@fleet/testing';
import type { EndedExample } from './walked-ends';

const about = 'refinement bought its fit with the geometry of the model';

const refinedTo =
  (metrics: Readonly<Record<string, number>>, name: string): PlannedRun =>
  (_, cycle) => ({ metrics, outputs: [modelFile(`/work/c${String(cycle)}/${name}.pdb`)] });

const example = (
  input: ReturnType<typeof dataFile>,
  runs: FakeRuns,
  of = about,
  options: Parameters<WalkBench['walk']>[2] = {},
): EndedExample => ({
  about: of,
  end: async (bench: WalkBench) => (await bench.walk([input, modelFile()], runs, options)).stop,
});

const crystal: FakeRuns = {
  xtriage: [{ metrics: { resolution: 2.1, no_twinning_suspected: true } }],
  model_vs_data: [{ metrics: { r_work: 0.29, r_free: 0.3 } }],
};
const withoutFlags = dataWithoutFlags();

/** Ends of sessions whose R-free is that of a model which may know the free reflections. */
export const freeSetEnds: readonly EndedExample[] = [
  example(
    withoutFlags,
    { ...crystal, refine: refinements(0.24) },
    'the data had no free flags, and the model was shaken',
  ),
  example(
    withoutFlags,
    { ...crystal, refine: refinements(0.24) },
    'the data had no free flags, and the submitter wanted the model as it is',
    { directives: { program_settings: { 'phenix.refine': { shake_sites: 0 } } } },
  ),
  example(
    dataFile(),
    {
      ...crystal,
      refine: refinedTo({ r_free: 0.24, r_work: 0.21, start_r_free: 0.203, start_r_work: 0.201 }, 'refine_001_001'),
    },
    'R-free began at R-work',
  ),
];

/** Ends of sessions whose model fits, and is worse in its geometry than the submitted one. */
export const geometryEnds = {
  xray: example(dataFile(), {
    ...crystal,
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
