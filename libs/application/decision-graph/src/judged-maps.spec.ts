import type { SessionFile } from '@fleet/contracts/sessions';
import { summaryMarkdown } from '@fleet/session-summary';
import {
  aCatalogue,
  argvOf,
  mapFile,
  mapRefinements,
  modelFile,
  sequenceFile,
  walkBench,
  words,
  type FakeRuns,
} from '@fleet/testing';

const full = mapFile('/data/full_map.ccp4');
const halves = [mapFile('/data/half_map_1.ccp4'), mapFile('/data/half_map_2.ccp4')];
const denmod = '/work/d/denmod_map.ccp4';

/** The correlation of the placement, then of each refinement. */
const correlations = (...values: readonly number[]): FakeRuns[string] =>
  values.map((cc_mask) => ({ metrics: { cc_mask } }));

const bench = walkBench({
  runs: {
    mtriage: [{ metrics: { resolution: 2.99 } }],
    resolve_cryo_em: [{ outputs: [mapFile(denmod)] }],
    real_space_refine: mapRefinements(0.86, 0.89, 0.9),
  },
  installed: 'all',
});

describe('a model refined against a density-modified map', () => {
  it('is judged against the original map: an inflated correlation meets no target', async () => {
    const map_correlations = correlations(0.6, 0.66, 0.663, 0.664);
    const walked = await bench.walk([full, ...halves, modelFile(), sequenceFile()], { map_correlations });
    expect(words(walked)).toBe(
      'mtriage resolve_cryo_em map_correlations real_space_refine map_correlations real_space_refine map_correlations ' +
        'real_space_refine map_correlations validation_cryoem molprobity STOP plateau',
    );
    expect(argvOf(walked, 'real_space_refine')).toContain(denmod);
    expect(argvOf(walked, 'map_correlations')).toContain('input_files.map_in_1=/data/full_map.ccp4');
    expect(argvOf(walked, 'map_correlations', 1).slice(1, 3)).toEqual([
      'input_files.model=/work/c4/rsr_001_real_space_refined_000.pdb',
      'input_files.map_in_1=/data/full_map.ccp4',
    ]);
    expect(argvOf(walked, 'validation_cryoem')).toContain('/data/full_map.ccp4');
    expect(argvOf(walked, 'validation_cryoem')).not.toContain(denmod);
    expect(walked.stop.detail).toContain(
      'The map correlation stays at 0.664; the target was 0.70. The correlation is with full_map.ccp4.',
    );
    const summary = summaryMarkdown(walked.session, bench.ruleBook);
    expect(summary).toMatch(
      /\| CC\S+mask \| 0\.664 \| needs improvement \| map\S+correlations, cycle 9, against full\S+map\.ccp4 \|/,
    );
    expect(summary.slice(summary.indexOf('## Final quality'))).not.toContain('0.900');
  });

  it('states that the correlation is inflated if no other map can judge it', async () => {
    const only = Object.keys(bench.ruleBook.programs).map((name) => name.replace('phenix.', ''));
    const without = ['map_correlations', 'validation_cryoem'];
    const catalogue = aCatalogue({ provider: 'phenix', only: only.filter((name) => !without.includes(name)) });
    const walked = await bench.walk([...halves, modelFile(), sequenceFile()], {}, { catalogue });
    expect(walked.stop.detail).toContain(
      'The correlation is with denmod_map.ccp4, the density-modified map that the model was refined against: it flatters the model.',
    );
  });
});

describe('programs that get a map and its half maps', () => {
  it('hands the symmetry of the map to the program that builds into it', async () => {
    const operators: SessionFile = {
      path: '/work/s/symmetry_from_map.ncs_spec',
      size: 900,
      cycle: 0,
      facts: { format: 'ncs-spec' },
    };
    const walked = await bench.walk(
      [full, sequenceFile()],
      {
        map_symmetry: [{ outputs: [operators] }],
        map_to_model: [{ outputs: [modelFile('/work/m/map_to_model.pdb')] }],
      },
      { catalogue: aCatalogue({ provider: 'phenix', only: ['mtriage', 'map_symmetry', 'map_to_model'] }) },
    );
    expect(walked.programs.slice(0, 3)).toEqual(['mtriage', 'map_symmetry', 'map_to_model']);
    expect(argvOf(walked, 'map_to_model')).toContain('ncs_file=/work/s/symmetry_from_map.ncs_spec');
  });
});
