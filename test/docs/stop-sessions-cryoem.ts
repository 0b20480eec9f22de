import type { SessionFile, SessionStop } from '@fleet/contracts/sessions';
import {
  aCatalogue,
  dictionaryFile,
  mapFile,
  mapRefinements,
  modelFile,
  sequenceFile,
  type FakeRuns,
  type WalkBench,
} from '@fleet/testing';
import { without, type EndedExample, type Walked } from './walked-ends';

const map = mapFile('/data/full_map.ccp4');
const inMap: FakeRuns = {
  mtriage: [{ metrics: { resolution: 2.99 } }],
  map_correlations: [{ metrics: { cc_mask: 0.6 } }],
};

const endsInMap =
  (...[inputs, runs = {}, options]: Walked) =>
  async (bench: WalkBench): Promise<SessionStop> =>
    (await bench.walk(inputs, { ...inMap, ...runs }, options)).stop;

const halves = [mapFile('/data/half_map_1.ccp4'), mapFile('/data/half_map_2.ccp4')];

/** Refined against a map whose density was modified, and judged against another one, where a program here can. */
const endsAfterModification =
  (maps: readonly SessionFile[], values: readonly number[]) =>
  async (bench: WalkBench): Promise<SessionStop> => {
    const names = Object.keys(bench.ruleBook.programs).map((name) => name.replace('phenix.', ''));
    const only =
      values.length > 1 ? names : names.filter((name) => name !== 'map_correlations' && name !== 'validation_cryoem');
    const runs = {
      mtriage: [{ metrics: { resolution: 2.99 } }],
      resolve_cryo_em: [{ outputs: [mapFile('/work/d/denmod_map.ccp4')] }],
      real_space_refine: mapRefinements(0.86, 0.89, 0.9),
      map_correlations: values.map((cc_mask) => ({ metrics: { cc_mask } })),
    };
    const options = { catalogue: aCatalogue({ provider: 'phenix', only }) };
    return (await bench.walk([...maps, modelFile(), sequenceFile()], runs, options)).stop;
  };

/** Ends of cryo-EM sessions. */
export const cryoemEnds: readonly EndedExample[] = [
  { about: 'the target is reached', end: endsInMap([map, modelFile()], { real_space_refine: mapRefinements(0.84) }) },
  {
    about: 'a value of the correlation was asked for',
    end: endsInMap(
      [map, modelFile()],
      { real_space_refine: mapRefinements(0.66) },
      { directives: { stop_conditions: { map_cc_target: 0.65 } } },
    ),
  },
  {
    about: 'one refinement was requested',
    end: endsInMap(
      [map, modelFile()],
      { real_space_refine: mapRefinements(0.66) },
      { directives: { stop_conditions: { after_program: 'phenix.real_space_refine' } } },
    ),
  },
  {
    about: 'only the analysis was asked for',
    end: endsInMap([map, modelFile()], {}, { settings: { analysis_only: true } }),
  },
  {
    about: 'the model is not in its density',
    end: endsInMap([map, modelFile()], {
      map_correlations: [{ metrics: { cc_mask: 0.04 } }],
      dock_in_map: [{ outputs: [modelFile('/work/d/placed_model.pdb')] }],
      real_space_refine: mapRefinements(0.1),
    }),
  },
  {
    about: 'the model fits its map badly',
    end: endsInMap([map, modelFile()], { real_space_refine: mapRefinements(0.4) }),
  },
  {
    about: 'refinement brings no more',
    end: endsInMap([map, modelFile()], { real_space_refine: mapRefinements(0.602, 0.603) }),
  },
  {
    about: 'the limit of cycles is reached after a refinement',
    end: endsInMap([map, modelFile()], { real_space_refine: mapRefinements(0.5) }, { settings: { max_cycles: 3 } }),
  },
  {
    about: 'the limit of refinements is reached',
    end: endsInMap([map, modelFile()], { real_space_refine: mapRefinements(0.5, 0.56, 0.62) }),
  },
  {
    about: 'a later refinement fails',
    end: endsInMap([map, modelFile()], {
      real_space_refine: (decision, cycle) => {
        const first = mapRefinements(0.5);
        return cycle > 3 || typeof first !== 'function' ? { fails: 'Sorry: something' } : first(decision, cycle);
      },
    }),
  },
  {
    about: 'a ligand needs map coefficients',
    end: endsInMap([map, modelFile(), dictionaryFile('NUT')], {
      real_space_refine: mapRefinements(0.8),
      map_sharpening: [{ outputs: [mapFile('/work/s/sharpened_map.ccp4')] }],
    }),
  },
  {
    about: 'the model fits too badly for a ligand',
    end: endsInMap([map, modelFile(), dictionaryFile('NUT')], { real_space_refine: mapRefinements(0.6) }),
  },
  {
    about: 'the model would have to be docked, not here',
    end: endsInMap([map, modelFile()], { map_correlations: [{ metrics: { cc_mask: 0.04 } }] }, without('dock_in_map')),
  },
  {
    about: 'the correlation is with another map than was refined against',
    end: endsAfterModification([map, ...halves], [0.6, 0.66, 0.663, 0.664]),
  },
  { about: 'a half map has to judge', end: endsAfterModification(halves, [0.7, 0.75, 0.752]) },
  { about: 'nothing can judge the model', end: endsAfterModification([map, ...halves], [0.7]) },
  { about: 'there is only a map', end: endsInMap([map]) },
  { about: 'there is no map', end: endsInMap([modelFile()], {}, { settings: { experiment_type: 'cryoem' } }) },
];
