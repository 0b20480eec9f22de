import type { SessionDirectives } from '@fleet/contracts';
import {
  argvOf,
  dataFile,
  mapFile,
  mapRefinements,
  modelFile,
  sequenceFile,
  usualRuns,
  walkBench,
  words,
} from '@fleet/testing';
import type { Chooser } from './index';

const bench = walkBench({ installed: 'all', runs: usualRuns });

/** The agent's own examples of directives, with the sessions that they lead to (phenix-agent.md#directives). */
describe('directives as they are printed', () => {
  it('one resolution for phasing and another for all the rest: a slip of the chooser is put right, and told', async () => {
    const directives: SessionDirectives = {
      program_settings: { 'phenix.autosol': { resolution: 3.0 }, default: { resolution: 2.5 } },
    };
    const choose: Chooser = ({ menu }) => ({
      program: menu.offered[0]!.program,
      reasoning: 'a test',
      strategy: menu.offered[0]!.program === 'phenix.refine' ? { resolution: 3 } : {},
    });
    const inputs = [
      dataFile({ observations: [{ labels: 'I(+),I(-)', kind: 'intensity', anomalous: true }] }),
      sequenceFile(),
    ];
    const xtriage = [{ metrics: { resolution: 2.1, anomalous_measurability: 0.2 } }];
    const walked = await bench.walk(inputs, { xtriage }, { directives, choose });
    expect(walked.programs.slice(0, 4)).toEqual(['xtriage', 'autosol', 'autobuild', 'refine']);
    expect(argvOf(walked, 'autosol')).toContain('resolution=3');
    expect(argvOf(walked, 'refine')).toContain('xray_data.high_resolution=2.5');
  });

  it('phaser and one round of refinement, unvalidated: the session ends there', async () => {
    const directives: SessionDirectives = {
      stop_conditions: { after_program: 'phenix.refine', max_refine_cycles: 1, skip_validation: true },
    };
    const walked = await bench.walk([dataFile(), modelFile('/data/template.pdb')], {}, { directives });
    expect(words(walked)).toBe('xtriage phaser refine STOP goal_reached');
  });

  it('a SAD data set up to the first model: what is set goes into each command, and nothing is validated', async () => {
    const directives: SessionDirectives = {
      program_settings: {
        'phenix.autosol': { resolution: 3.0, atom_type: 'Se' },
        'phenix.refine': { resolution: 2.0, anisotropic_adp: true },
      },
      stop_conditions: { after_program: 'phenix.autobuild', skip_validation: true },
      constraints: ['User will do ligand fitting manually'],
    };
    const data = dataFile({ observations: [{ labels: 'I(+),I(-)', kind: 'intensity', anomalous: true }] });
    const xtriage = [{ metrics: { resolution: 2.1, anomalous_measurability: 0.2 } }];
    const walked = await bench.walk([data, sequenceFile()], { xtriage }, { directives });
    expect(words(walked)).toBe('xtriage autosol autobuild STOP goal_reached');
    expect(argvOf(walked, 'autosol')).toEqual(expect.arrayContaining(['resolution=3', 'autosol.atom_type=Se']));
  });

  it('a wished map correlation ends the session where it is reached, and not before', async () => {
    const inputs = [mapFile('/data/map.ccp4'), modelFile()];
    const runs = {
      map_correlations: [{ metrics: { cc_mask: 0.5 } }],
      real_space_refine: mapRefinements(0.6, 0.68, 0.72, 0.8),
    };
    const directives = { stop_conditions: { map_cc_target: 0.7 } };
    const walked = await bench.walk(inputs, runs, { directives });
    expect(words(walked)).toBe(
      'mtriage map_correlations real_space_refine real_space_refine real_space_refine STOP goal_reached',
    );
    expect(walked.stop.detail).toContain(
      'The map correlation 0.720 is at or above 0.700, where the submitter asked to stop.',
    );
  });
});
