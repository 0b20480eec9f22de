import { dataFile, modelFile, refinements, sequenceFile } from '@fleet/testing';
import {
  phaser,
  at,
  misplaced,
  data,
  ends,
  endsWithAll,
  without,
  few,
  refinedFew,
  partOf,
  crystalOf,
  front,
  back,
  type EndedExample,
} from './walked-ends';

/** Ends of X-ray sessions. */
export const xrayEnds: readonly EndedExample[] = [
  { about: 'the target is reached', end: ends([data, modelFile()], { refine: refinements(0.24) }) },
  {
    about: 'the target is reached, nothing can validate',
    end: ends([data, modelFile()], { refine: refinements(0.24) }, without('molprobity', 'model_vs_data')),
  },
  {
    about: 'the target is reached, validation was not wanted',
    end: ends(
      [data, modelFile()],
      { refine: refinements(0.24) },
      { directives: { stop_conditions: { skip_validation: true } } },
    ),
  },
  {
    about: 'the submitted model was better than what refinement made of it',
    end: ends([data, modelFile()], {
      refine: ({ inputs }, cycle) => ({
        metrics: { r_free: 0.245, r_work: 0.215, start_r_free: 0.236, start_r_work: 0.21 },
        outputs: inputs.length === 0 ? [] : [modelFile(`/work/c${String(cycle)}/refine_001_001.pdb`)],
      }),
    }),
  },
  {
    about: 'every refinement is worse than the submitted model, and another one would be the same',
    end: ends([data, modelFile('/data/start.pdb', { waters: 120 })], {
      ...at(1.9),
      model_vs_data: [{ metrics: { r_work: 0.24, r_free: 0.28 } }],
      refine: ({ strategy }, cycle) => ({
        metrics: { r_free: cycle === 3 ? 0.31 : 0.3, r_work: 0.26, start_r_free: 0.28, start_r_work: 0.24 },
        outputs: [modelFile(`/work/c${String(cycle)}/${String(strategy.output_prefix)}_001.pdb`)],
      }),
    }),
  },
  {
    about: 'the sequence holds RNA, and the model none',
    end: ends([data, modelFile(), crystalOf('GCGGAUUUAGCUCAGUUGGG')], { refine: refinements(0.24) }),
  },
  {
    about: 'a search model was rebuilt',
    end: endsWithAll([data, crystalOf(front + back), modelFile('/data/template.pdb')], {
      ...misplaced,
      phaser,
      refine: refinements(0.33, 0.329, 0.24),
      autobuild: [{ metrics: { r_free: 0.27, residues_built: 128 }, outputs: [modelFile('/work/a/overall_best.pdb')] }],
    }),
  },
  {
    about: 'a search model stays above the target without a sequence',
    end: endsWithAll([data, modelFile('/data/template.pdb')], {
      ...misplaced,
      phaser,
      refine: refinements(0.28, 0.279, 0.278),
    }),
  },
  {
    about: 'a last program was asked for',
    end: ends([data, modelFile()], {}, { directives: { stop_conditions: { after_program: 'phenix.xtriage' } } }),
  },
  {
    about: 'a number of cycles was asked for',
    end: ends([data, modelFile()], {}, { directives: { stop_conditions: { after_cycle: 2 } } }),
  },
  {
    about: 'a value of R-free was asked for',
    end: ends(
      [data, modelFile()],
      { refine: refinements(0.29) },
      { directives: { stop_conditions: { r_free_target: 0.3 } } },
    ),
  },
  {
    about: 'only the analysis was asked for',
    end: ends([data, modelFile()], {}, { settings: { analysis_only: true } }),
  },
  {
    about: 'refinement brings no more',
    end: ends(
      [data, modelFile()],
      { refine: refinements(0.29, 0.288, 0.287) },
      { settings: { max_refine_cycles: 10 } },
    ),
  },
  {
    about: 'only an analysis was requested in words',
    end: ends(
      [data],
      { xtriage: [{ metrics: { resolution: 1.6, twin_fraction: 0.31, anomalous_measurability: 0.12 } }] },
      { directives: { stop_conditions: { after_program: 'phenix.xtriage' } } },
    ),
  },
  {
    about: 'one refinement was requested',
    end: ends(
      [data, modelFile()],
      { refine: refinements(0.29) },
      { directives: { stop_conditions: { after_program: 'phenix.refine' } } },
    ),
  },
  {
    about: 'only a placement was requested',
    end: ends(
      [data, modelFile('/data/template.pdb')],
      { phaser: [{ metrics: { tfz: 21.3, llg: 900 }, outputs: [modelFile('/work/p/PHASER.1.pdb')] }] },
      { directives: { stop_conditions: { after_program: 'phenix.phaser' } } },
    ),
  },
  {
    about: 'the limit of refinements is reached',
    end: ends([data, modelFile()], { refine: refinements(0.29, 0.28, 0.27) }),
  },
  {
    about: 'the limit of refinements is reached, and the last one brought nothing',
    end: ends([data, modelFile()], { refine: refinements(0.29, 0.27, 0.269) }),
  },
  {
    about: 'the limit of refinements is reached, and parts are missing',
    end: ends([data, modelFile()], refinedFew(0.27), { settings: { max_refine_cycles: 1 } }),
  },
  {
    about: 'refinement was left out',
    end: endsWithAll(
      [data, sequenceFile(), modelFile('/data/template.pdb')],
      {
        phaser,
        autobuild: [{ metrics: { r_free: 0.27 }, outputs: [modelFile('/work/a/overall_best.pdb')] }],
      },
      { directives: { workflow_preferences: { skip_programs: ['phenix.refine'] } } },
    ),
  },
  {
    about: 'refinement fails with the rebuilt model',
    end: endsWithAll([data, sequenceFile(), modelFile('/data/template.pdb')], {
      phaser,
      refine: [{ fails: 'Sorry: something' }],
      autobuild: [{ metrics: { r_free: 0.27 }, outputs: [modelFile('/work/a/overall_best.pdb')] }],
    }),
  },
  {
    about: 'a later refinement fails',
    end: ends([data, modelFile()], {
      refine: (decision, cycle) => {
        const first = refinements(0.29);
        return cycle > 3 || typeof first !== 'function' ? { fails: 'Sorry: something' } : first(decision, cycle);
      },
    }),
  },
  { about: 'parts of the model are missing', end: ends([data, modelFile('/data/cut.pdb', few)], refinedFew(0.482)) },
  { about: 'the model is wrong or misplaced', end: ends([data, modelFile()], { refine: refinements(0.47) }) },
  { about: 'the model is poor', end: ends([data, modelFile()], { refine: refinements(0.389) }) },
  {
    about: 'the model explains nothing, without a sequence',
    end: ends([data, modelFile('/data/template.pdb')], { phaser, refine: refinements(0.52) }),
  },
  {
    about: 'the model explains nothing, and programs are missing',
    end: ends([data, modelFile('/data/template.pdb'), sequenceFile()], { phaser, refine: refinements(0.52) }),
  },
  {
    about: 'the model explains nothing, whatever was tried',
    end: endsWithAll(
      [
        dataFile({ observations: [{ labels: 'F(+),F(-)', kind: 'amplitude', anomalous: true }] }),
        sequenceFile(),
        modelFile('/data/template.pdb'),
      ],
      {
        xtriage: [{ metrics: { resolution: 2.2, anomalous_measurability: 0.07 } }],
        phaser,
        autosol: [{ metrics: { bayes_cc: 20 }, outputs: [modelFile('/work/s/overall_best.pdb')] }],
        refine: refinements(0.51),
        autobuild: [{ metrics: { r_free: 0.52 }, outputs: [modelFile('/work/a/overall_best.pdb')] }],
        predict_and_build: [{ metrics: { r_free: 0.53 }, outputs: [modelFile('/work/b/x_overall_best.pdb')] }],
      },
    ),
  },
  {
    about: 'the model is found nowhere in the cell',
    end: ends([data, modelFile()], { ...misplaced, phaser: [{ fails: 'no solution' }] }),
  },
  {
    about: 'the model is found nowhere, and the anomalous signal cannot be used here',
    end: ends([data, modelFile(), sequenceFile()], {
      ...misplaced,
      xtriage: [{ metrics: { resolution: 1.8, anomalous_measurability: 0.24 } }],
      phaser: [{ fails: 'no solution' }],
    }),
  },
  {
    about: 'fewer copies are found than were searched for',
    end: ends([data, modelFile()], {
      ...misplaced,
      phaser: [{ ...phaser[0], metrics: { tfz: 14, copies_asked_for: 3, copies_placed: 2 } }],
      refine: refinements(0.24),
    }),
  },
  {
    about: 'a search is incomplete, and does not say by how much',
    end: ends([data, modelFile()], {
      ...misplaced,
      phaser: [{ ...phaser[0], metrics: { tfz: 14, search_incomplete: true } }],
      refine: refinements(0.24),
    }),
  },
  {
    about: 'one of two parts is found',
    end: ends([data, partOf('front', front), partOf('back', back), crystalOf(front + back)], {
      ...misplaced,
      phaser: [{ metrics: { tfz: 15 }, outputs: [partOf('p/PHASER.1', back, '/work')] }],
      refine: refinements(0.249),
    }),
  },
  { about: 'there are only data', end: ends([data]) },
  { about: 'a model could be made from the sequence, not here', end: ends([data, sequenceFile()]) },
  {
    about: 'the anomalous signal could be used, not here',
    end: ends([data, sequenceFile()], { xtriage: [{ metrics: { resolution: 1.8, anomalous_measurability: 0.24 } }] }),
  },
  {
    about: 'the model would have to be placed, not here',
    end: ends([data, modelFile()], misplaced, without('phaser')),
  },
  {
    about: 'the limit of cycles is reached after a refinement',
    end: ends([data, modelFile()], { refine: refinements(0.29) }, { settings: { max_cycles: 3 } }),
  },
  { about: 'the limit of cycles is reached', end: ends([data, modelFile()], {}, { settings: { max_cycles: 2 } }) },
  { about: 'the analysis fails', end: ends([data], { xtriage: [{ fails: 'Sorry: no data in this file.' }] }) },
  { about: 'there are no data', end: ends([modelFile()], {}, { settings: { experiment_type: 'xray' } }) },
];
