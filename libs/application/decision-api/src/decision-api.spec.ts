import type { JsonValue } from '@fleet/contracts/sessions';
import { buildDecisionGraph } from '@fleet/decision-graph';
import { systemClock } from '@fleet/ports';
import * as fc from 'fast-check';
import { projectRules } from '@fleet/testing';
import { buildDecisionApi } from './decision-api';
import type { DecideResponse } from './response/decide-response';
import { printCommand, splitCommand } from './session/split-command';

const ruleBook = projectRules();
const api = buildDecisionApi({ ruleBook, decider: buildDecisionGraph({ ruleBook }), clock: systemClock });

type Part = Readonly<Record<string, JsonValue>>;

const xtriage: Part = {
  cycle: 1,
  program: 'phenix.xtriage',
  command: 'phenix.xtriage /d/data.mtz',
  result: 'SUCCESS: Command completed without errors',
  analysis: { resolution: 2 },
};
const phaser: Part = {
  cycle: 2,
  program: 'phenix.phaser',
  command: 'phenix.phaser /d/data.mtz /d/search.pdb',
  result: 'SUCCESS',
  output_files: ['/d/PHASER.1.pdb'],
};
const ask = (change: Part): Promise<DecideResponse> =>
  api.answerAsRemote({
    api_version: '2.0',
    files: ['/d/data.mtz', '/d/seq.fa', '/d/PHASER.1.pdb'],
    cycle_number: 3,
    history: [xtriage, phaser],
    ...change,
  });

describe('the response to a v2 request', () => {
  it('refines the model that phaser has placed', async () => {
    const { decision, metadata } = await ask({});
    expect(decision.program).toBe('phenix.refine');
    expect(decision.argv.slice(0, 3)).toEqual(['phenix.refine', '/d/PHASER.1.pdb', '/d/data.mtz']);
    expect(metadata.experiment_type).toBe('xray');
  });

  it('uses the locked R-free file and generates no new flags', async () => {
    const { decision } = await ask({ session_state: { rfree_mtz: '/d/locked.mtz' } });
    expect(decision.argv).toContain('/d/locked.mtz');
    expect(decision.command).not.toContain('generate');
  });

  it('accepts cycle_number for cycle and metrics for analysis', async () => {
    const { cycle, analysis, ...rest } = xtriage;
    const first = { ...rest, cycle_number: cycle ?? null, metrics: analysis ?? null };
    expect((await ask({ history: [first, phaser] })).decision).toEqual((await ask({})).decision);
  });

  it('counts a cycle with a failure word as failed, but not one with only "error"', async () => {
    const programAfter = async (result: string): Promise<string> =>
      (await ask({ files: ['/d/data.mtz', '/d/seq.fa'], history: [{ ...xtriage, result }] })).decision.program;
    expect(await programAfter('SUCCESS: finished without errors')).toBe('phenix.predict_and_build');
    expect(await programAfter('Sorry: no data')).not.toBe('phenix.predict_and_build');
  });

  it("gives the client's best file priority over the service's ranking", async () => {
    const files = ['/d/data.mtz', '/d/PHASER.1.pdb', '/d/other_placed.pdb'];
    const taken = async (best_files: Part): Promise<string | undefined> =>
      (await ask({ files, session_state: { best_files } })).decision.argv[1];
    expect(await taken({})).toBe('/d/PHASER.1.pdb');
    expect(await taken({ model: '/d/other_placed.pdb' })).toBe('/d/other_placed.pdb');
    expect(await taken({ model: ['/d/other_placed.pdb', '/d/PHASER.1.pdb'] })).toBe('/d/other_placed.pdb');
  });

  it('runs a forced program again with the labels of its recovery strategy, and only with that', async () => {
    const failure = { ...xtriage, result: 'FAILED: Sorry: no', analysis: {} };
    const state = {
      force_retry_program: 'xtriage',
      recovery_strategies: {
        '/d/data.mtz': {
          flags: { 'scaling.input.xray_data.obs_labels': 'I_X,SIGI_X' },
          program_scope: ['phenix.xtriage'],
          selected_label: 'I_X',
          selected_label_pair: 'I_X,SIGI_X',
        },
      },
    };
    const change = { files: ['/d/data.mtz'], history: [failure, { ...failure, cycle: 2 }] };
    expect((await ask({ ...change, session_state: state })).decision.argv).toEqual([
      'phenix.xtriage',
      '/d/data.mtz',
      'scaling.input.xray_data.obs_labels=I_X',
    ]);
    expect((await ask(change)).stop).toBe(true);
  });

  it('explains a failure and its remedy in plain words', async () => {
    const failure = { ...xtriage, result: 'FAILED: Sorry: No unit cell info available', analysis: {} };
    const { decision } = await ask({ files: ['/d/data.sca'], history: [failure] });
    expect(decision.reasoning).toContain('No unit cell info available');
    expect(decision.reasoning).toContain('Give them, or a reflection file that holds them.');
  });

  it('omits parameters that a program refused', async () => {
    const state = { input_mtz_has_rfree: false };
    const refused = { ...state, bad_inject_params: { 'phenix.refine': ['generate'] } };
    expect((await ask({ session_state: state })).decision.command).toContain('r_free_flags.generate');
    expect((await ask({ session_state: refused })).decision.command).not.toContain('generate');
  });

  it('accepts stop_after_requested, which changes nothing, and says so', async () => {
    const stop_conditions = { after_program: 'phenix.phaser', stop_after_requested: false };
    const answer = await ask({ session_state: { directives: { stop_conditions } } });
    expect([answer.stop, answer.metadata.stop_code, answer.metadata.warnings]).toEqual([true, 'goal_reached', []]);
    expect(answer.debug.log[0]).toContain(
      'ignored field session_state.directives.stop_conditions.stop_after_requested',
    );
  });

  it('takes lists of best files', async () => {
    const best_files = { model: ['/d/PHASER.1.pdb', '/d/older.pdb'], data_mtz: '/d/data.mtz', map: null };
    expect((await ask({ session_state: { best_files } })).error).toBeNull();
  });

  it('reads metrics of the last program from its whole log', async () => {
    const log = `Start R-work = 0.2010, R-free = 0.2210\n${'x\n'.repeat(30_000)}Final R-work = 0.2000, R-free = 0.2200\n`;
    const refine = {
      cycle: 3,
      program: 'phenix.refine',
      command: 'phenix.refine a b',
      result: 'SUCCESS',
      output_files: ['/d/refine_001_001.pdb'],
    };
    const { decision } = await ask({
      files: ['/d/data.mtz', '/d/PHASER.1.pdb', '/d/refine_001_001.pdb'],
      log_content: log,
      cycle_number: 4,
      history: [xtriage, phaser, refine],
    });
    expect(decision.program).toBe('phenix.molprobity');
  });

  it('stops at the limit of cycles', async () => {
    const { stop, stop_reason, decision } = await ask({ settings: { max_cycles: 2 } });
    expect([stop, stop_reason, decision.program, decision.command]).toEqual([true, 'max_cycles', 'STOP', 'STOP']);
  });

  it('stops on a red flag with its message', async () => {
    const answer = await ask({ files: ['/d/seq.fa'], history: [], session_state: { experiment_type: 'xray' } });
    expect([answer.stop_reason, answer.abort_message]).toEqual(['red_flag', answer.decision.reasoning]);
    expect(answer.metadata.red_flags[0]).toMatch(/^no_data_for_workflow: /);
  });

  it('reports ignored directives', async () => {
    const { metadata } = await ask({ session_state: { directives: { wishes: { be: 'quick' } } } });
    expect(metadata.warnings.join()).toContain('directives.wishes');
  });
});

describe('any document', () => {
  const anyPath = fc.constantFrom(
    '/d/a.mtz',
    '/d/b.pdb',
    'c.mrc',
    '/d/half_1.ccp4',
    '/d/half_2.ccp4',
    '/d/s.fa',
    '/d/lig.cif',
    '',
  );
  const entry = fc.record({
    program: fc.constantFrom('phenix.xtriage', 'refine', 'phenix.mtriage', 'STOP', 'phenix.none', 'phenix.ligandfit'),
    command: fc.string(),
    result: fc.constantFrom('SUCCESS', 'FAILED: x', ''),
    output_files: fc.array(anyPath, { maxLength: 3 }),
    metrics: fc.dictionary(fc.constantFrom('r_free', 'map_cc', 'resolution'), fc.double()),
  });
  const nearRequest = fc.record({
    api_version: fc.constantFrom('2.0', '2.0', '2.0', '1.0'),
    files: fc.array(anyPath, { maxLength: 6 }),
    cycle_number: fc.integer({ min: -1, max: 30 }),
    history: fc.array(entry, { maxLength: 6 }),
    session_state: fc.oneof(fc.constant({}), fc.jsonValue()),
  });

  it('gets a decision, a stop with a reason, or an error, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(nearRequest, fc.jsonValue()), async (document) => {
        const { decision, stop, stop_reason, error, problems } = await api.answer(document);
        expect(decision.reasoning).not.toBe('');
        expect(stop).toBe(stop_reason !== null);
        expect(error === null).toBe(problems.length === 0);
      }),
      { numRuns: 300 },
    );
  }, 30_000);
});

describe('a command', () => {
  it('is split as it was printed', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), (argv) =>
        expect(splitCommand(printCommand(argv))).toEqual(argv),
      ),
    );
  });

  it('is split at blanks outside quotes', () => {
    expect(splitCommand(`phenix.refine a.pdb space_group="P 32 2 1" 'b c.mtz' d\\ e`)).toEqual([
      'phenix.refine',
      'a.pdb',
      'space_group=P 32 2 1',
      'b c.mtz',
      'd e',
    ]);
  });
});
