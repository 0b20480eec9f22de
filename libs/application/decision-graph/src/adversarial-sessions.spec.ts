import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { SessionFile } from '@fleet/contracts/sessions';
import {
  aCycle,
  aDecision,
  aRequest,
  aResult,
  aSession,
  dataFile,
  modelFile,
  usualRuns,
  walkBench,
} from '@fleet/testing';

const bench = walkBench({ installed: 'all', runs: usualRuns });

describe('directives that exclude each other', () => {
  const invalidDirectives = async (
    directives: SessionDirectives,
    inputs: readonly SessionFile[] = [dataFile(), modelFile()],
  ) => {
    const { events } = await bench.decide(aSession({ request: aRequest({ inputs, directives }) }));
    return events.filter(({ type }) => type === 'user_request_invalid').map(({ message }) => message);
  };

  it('are reported once: after_program for a skipped program', async () => {
    const directives: SessionDirectives = {
      stop_conditions: { after_program: 'phenix.phaser' },
      workflow_preferences: { skip_programs: ['phenix.phaser'] },
    };
    expect(await invalidDirectives(directives)).toEqual([
      "phenix.phaser was requested (stop_conditions.after_program) but is unavailable: skipped at the submitter's request.",
    ]);
    const cycles = [aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result: aResult({}) })];
    const request = aRequest({ inputs: [dataFile(), modelFile()], directives });
    const { events } = await bench.decide(aSession({ cycle: 2, cycles, request }));
    expect(events.map(({ type }) => type)).not.toContain('user_request_invalid');
  });

  it('are reported: a program of the other experiment, one that lacks its files, a missing file', async () => {
    expect(await invalidDirectives({ workflow_preferences: { prefer_programs: ['phenix.dock_in_map'] } })).toEqual([
      expect.stringContaining('phenix.dock_in_map'),
    ]);
    expect(await invalidDirectives({ stop_conditions: { start_with_program: 'phenix.polder' } }, [dataFile()])).toEqual(
      [expect.stringContaining('it needs a model')],
    );
    expect(await invalidDirectives({ file_preferences: { model: 'beta.pdb' } })).toEqual([
      'beta.pdb was requested (file_preferences.model) but is unavailable: it is not a file of this session.',
    ]);
  });

  it('are not reported if the program can run, now or later', async () => {
    const directives: SessionDirectives = {
      stop_conditions: { after_program: 'phenix.refine' },
      program_settings: { 'phenix.refine': { cycles: 5 }, default: { resolution: 2 } },
      file_preferences: { model: 'model.pdb' },
    };
    expect(await invalidDirectives(directives)).toEqual([]);
  });
});
