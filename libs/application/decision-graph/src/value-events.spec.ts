import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { SessionEvent, SessionFile } from '@fleet/contracts/sessions';
import {
  aCycle,
  aDecision,
  aRequest,
  aResult,
  aSession,
  dataFile,
  modelFile,
  sequenceFile,
  walkBench,
} from '@fleet/testing';
import type { Chooser } from './index';

const bench = walkBench({ installed: 'all' });

const placed = { workflow_preferences: { model_is_placed: true } };
const analysed = aCycle({
  decision: aDecision({ program: 'phenix.xtriage' }),
  result: aResult({ metrics: { resolution: 2.1 } }),
});

const eventTexts = async (
  directives: SessionDirectives,
  {
    choose,
    inputs = [dataFile(), modelFile()],
    cycles = [analysed],
  }: { choose?: Chooser; inputs?: readonly SessionFile[]; cycles?: readonly (typeof analysed)[] } = {},
): Promise<readonly string[]> => {
  const session = aSession({ cycle: cycles.length + 1, cycles, request: aRequest({ inputs, directives }) });
  const { events } = await bench.decide(session, choose);
  const isValueEvent = ({ type }: SessionEvent): boolean => type === 'directive_applied' || type === 'program_modified';
  return events.filter(isValueEvent).map(({ type, message }) => `${type} ${message}`);
};

const decide =
  (strategy: Record<string, number | string>): Chooser =>
  ({ menu }) => ({ program: menu.offered[0]!.program, reasoning: 'a test', strategy });

describe('an event reports which value applies, and why', () => {
  it("if the submitter's overrides that of the decision and the rule's", async () => {
    const directives = { ...placed, program_settings: { default: { resolution: 2.5 } } };
    expect(await eventTexts(directives, { choose: decide({ resolution: 3 }) })).toContain(
      'directive_applied phenix.refine: resolution is 2.5, set by the submitter for all programs, not 3 (asked for)',
    );
  });

  it("if a setting of the program overrides that for all, and the rule's", async () => {
    const directives = {
      ...placed,
      program_settings: { 'phenix.refine': { resolution: 2, nproc: 2 }, default: { resolution: 2.5 } },
    };
    expect(await eventTexts(directives)).toEqual([
      'directive_applied phenix.refine: resolution is 2, set by the submitter, not 2.5 (set by the submitter for all programs)',
      'directive_applied phenix.refine: nproc is 2, set by the submitter',
    ]);
  });

  it("if on a later attempt the decision's overrides the submitter's", async () => {
    const failed = aCycle({
      cycle: 2,
      decision: aDecision({ argv: ['phenix.refine', '/data/other.pdb'] }),
      result: aResult({ outcome: 'failed', summary: 'Sorry: something', errorLines: ['Sorry: something'] }),
    });
    const directives = { ...placed, program_settings: { 'phenix.refine': { resolution: 2 } } };
    const events = await eventTexts(directives, { choose: decide({ resolution: 3 }), cycles: [analysed, failed] });
    expect(events).toContain(
      'program_modified phenix.refine: resolution is 3, asked for, not 2 (set by the submitter); on a later try the value of the decision counts, because it may correct a slip',
    );
  });

  it("if a correction after a failure overrides the submitter's", async () => {
    const inputs = [dataFile(), modelFile()];
    const why = 'the array of intensities is meant';
    const request = aRequest({
      inputs,
      directives: { ...placed, program_settings: { 'phenix.refine': { obs_labels: 'FP,SIGFP' } } },
      steering: {
        recoveries: [{ file: '/data/data.mtz', programs: ['phenix.refine'], set: { obs_labels: 'I' }, why }],
      },
    });
    const { events } = await bench.decide(aSession({ cycle: 2, cycles: [analysed], request }));
    expect(events.map(({ type, message }) => `${type} ${message}`)).toContain(
      `program_modified phenix.refine: obs_labels is I, ${why}, not FP,SIGFP (set by the submitter)`,
    );
  });
});

describe("an event reports what is done on the submitter's request", () => {
  const inputs = [dataFile(), modelFile('/data/alpha.pdb'), modelFile('/data/beta.pdb')];

  it('a program that is excluded, once, and again in a step that has it', async () => {
    const skip = (...skip_programs: string[]): SessionDirectives => ({
      ...placed,
      workflow_preferences: { ...placed.workflow_preferences, skip_programs },
    });
    const both = skip('phenix.autobuild', 'phenix.model_vs_data');
    expect(await eventTexts(both, { cycles: [] })).toEqual([
      'directive_applied phenix.autobuild: left out, as the submitter asked',
      'directive_applied phenix.model_vs_data: left out, as the submitter asked',
    ]);
    expect(await eventTexts(both)).toEqual([]);
    expect(await eventTexts(skip('phenix.predict_and_build'), { inputs: [dataFile(), sequenceFile()] })).toEqual([
      'directive_applied phenix.predict_and_build: left out, as the submitter asked',
    ]);
  });

  it('a file that is preferred, and one that is never used', async () => {
    const preferences = { ...placed, file_preferences: { model: 'beta.pdb', exclude: ['alpha.pdb'] } };
    expect(await eventTexts(preferences, { inputs })).toEqual([
      'directive_applied phenix.refine: its model is beta.pdb, as the submitter asked',
    ]);
    expect(await eventTexts(preferences, { inputs, cycles: [] })).toEqual([
      'directive_applied alpha.pdb: not used, as the submitter asked',
    ]);
  });
});
