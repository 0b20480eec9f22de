import type { SessionDirectives } from '@fleet/contracts/guidance';
import { argvOf, aRequest, aSession, dataFile, modelFile, sequenceFile, usualRuns, walkBench } from '@fleet/testing';
import type { Chooser } from './index';

const bench = walkBench({ installed: 'all', runs: usualRuns });
describe('program settings', () => {
  it('a parameter that the program lacks is rejected visibly', async () => {
    const session = aSession({
      request: aRequest({
        inputs: [dataFile()],
        directives: { program_settings: { 'phenix.xtriage': { nonsense: 1 } } },
      }),
    });
    const { events } = await bench.decide(session);
    expect(events.map(({ message }) => message)).toContainEqual(expect.stringContaining('"nonsense" is left out'));
  });

  it("the submitter's value on the first attempt, the model's from the second", async () => {
    const choose: Chooser = ({ menu }) => ({
      program: menu.offered[0]!.program,
      reasoning: 'a test',
      strategy: menu.offered[0]!.program === 'phenix.polder' ? { selection: 'resname MES' } : {},
    });
    const walked = await bench.walk(
      [dataFile(), modelFile()],
      { polder: [{ fails: 'Sorry: bad selection' }, {}] },
      {
        choose,
        directives: {
          stop_conditions: { after_program: 'phenix.polder' },
          program_settings: { 'phenix.polder': { selection: 'solvent molecule MES' } },
        },
      },
    );
    expect(argvOf(walked, 'polder', 0)).toContain('selection="solvent molecule MES"');
    expect(argvOf(walked, 'polder', 1)).toContain('selection="resname MES"');
  });

  it('one resolution for phasing and another for the rest: a wrong value of the chooser is corrected, with an event', async () => {
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
});
