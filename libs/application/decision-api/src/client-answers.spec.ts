import { ranBefore as run, v2Bench, type RequestPart as Part } from '@fleet/testing';
import type { DecideResponse } from './response/decide-response';

const bench = v2Bench();

const xtriage = run('xtriage', { resolution: 2 });
const phaser = run('phaser', { tfz: 20, llg: 900 }, ['/d/PHASER.1.pdb']);
const refined = (...values: readonly number[]): readonly Part[] =>
  values.map((r_free, index) =>
    run('refine', { r_free, r_work: r_free - 0.03 }, [`/d/refine_00${String(index + 1)}_001.pdb`]),
  );
const molprobity = run('molprobity', { clashscore: 2 });

const ask = (history: readonly Part[], change: Part = {}): Promise<DecideResponse> => {
  const written = history.flatMap(({ output_files }) => (output_files ?? []) as readonly string[]);
  return bench.ask(['/d/data.mtz', ...written], history, change);
};

describe('the stop reason of a session', () => {
  it.each<[string, readonly Part[], Part]>([
    ['converged', [xtriage, phaser, ...refined(0.24), molprobity], {}],
    ['plateau', [xtriage, phaser, ...refined(0.311, 0.31, 0.31), molprobity], {}],
    ['refinement_limit', [xtriage, phaser, ...refined(0.35, 0.325, 0.31), molprobity], {}],
    ['nothing_left', [xtriage], {}],
    [
      'goal_reached',
      [xtriage],
      { session_state: { directives: { stop_conditions: { after_program: 'phenix.xtriage' } } } },
    ],
  ])('%s: no red flag, and nothing that looks like one to a client', async (reason, history, change) => {
    const { stop, stop_reason, abort_message, metadata } = await ask(history, change);
    expect([stop, stop_reason, metadata.stop_code]).toEqual([true, reason, reason]);
    expect([abort_message, metadata.red_flags]).toEqual([null, []]);
  });

  it.each<[string, readonly Part[]]>([
    ['hopeless', [xtriage, phaser, ...refined(0.55)]],
    ['unsatisfactory', [xtriage, phaser, ...refined(0.43, 0.429, 0.429), molprobity]],
  ])('%s: a red flag with its message', async (reason, history) => {
    const { stop_reason, abort_message, decision, metadata } = await ask(history);
    expect([stop_reason, abort_message]).toEqual([reason, decision.reasoning]);
    expect(metadata.red_flags).toEqual([`${reason}: ${decision.reasoning}`]);
  });

  it('red_flag: a program failed and there is no alternative; the flag says which', async () => {
    const failed = { ...xtriage, result: 'FAILED: Sorry: No unit cell info available', analysis: {} };
    const { stop_reason, abort_message, decision, metadata } = await ask([failed], { files: ['/d/data.sca'] });
    expect([stop_reason, abort_message, metadata.stop_code]).toEqual([
      'red_flag',
      decision.reasoning,
      'program_failed',
    ]);
    expect(metadata.red_flags).toEqual([`program_failed: ${decision.reasoning}`]);
  });

  it('red_flag: a sanity issue is reported once', async () => {
    const { metadata } = await ask([], { files: ['/d/seq.fa'], session_state: { experiment_type: 'xray' } });
    expect(metadata.red_flags).toHaveLength(1);
  });

  it.each([
    [5, false],
    [6, true],
  ])('max_cycles: by cycle_number, however much of its history a client sends: %d', async (cycle_number, stops) => {
    const settings = { max_cycles: 5 };
    expect((await ask([xtriage, phaser], { cycle_number, settings })).stop).toBe(stops);
    expect((await ask([], { cycle_number, settings })).stop_reason).toBe(stops ? 'max_cycles' : null);
  });

  it('after_cycle counts the same way', async () => {
    const session_state = { directives: { stop_conditions: { after_cycle: 4 } } };
    expect((await ask([xtriage, phaser], { cycle_number: 4, session_state })).stop).toBe(false);
    expect((await ask([xtriage, phaser], { cycle_number: 5, session_state })).stop_reason).toBe('goal_reached');
  });
});

describe('the events of a response', () => {
  const types = ({ events }: DecideResponse): readonly string[] => events.map(({ type }) => type);

  it('report the metrics of the last run, their trend, and the scores of files', async () => {
    const answer = await ask([xtriage, phaser, ...refined(0.36, 0.33)]);
    expect(types(answer).slice(0, 2)).toEqual(['cycle_start', 'metrics_extracted']);
    const messagesOf = (type: string): readonly string[] =>
      answer.events.filter((event) => event.type === type).map(({ message }) => message);
    expect(messagesOf('metrics_extracted')).toEqual([expect.stringContaining('R-free 0.3300')]);
    expect(messagesOf('metrics_trend')).toContain('R-free 0.3600 ↓ 0.3300 (better)');
    expect(messagesOf('file_scored')[0]).toMatch(
      /^refine_002_001\.pdb scores [\d.]+ as model \(refined 100, r_free [\d.]+\)$/,
    );
    expect(answer.debug.log).toContain('PERCEIVE: R-free 0.3600 ↓ 0.3300 (better)');
  });

  it('are also part of a stop', async () => {
    const answer = await ask([xtriage, phaser, ...refined(0.24), molprobity]);
    expect(types(answer)).toEqual(expect.arrayContaining(['cycle_start', 'metrics_extracted', 'state_detected']));
    expect(types(answer).at(-1)).toBe('stop_decision');
  });

  it('are repeated as one text', async () => {
    const answer = await ask([xtriage, phaser]);
    expect(JSON.parse(answer.events_as_simple_string)).toEqual(answer.events);
    expect((await bench.api.answer({})).events_as_simple_string).toBe('[]');
  });
});

describe('a metrics report of the client', () => {
  const stars = '*'.repeat(50);
  const report = (...lines: readonly string[]): string =>
    ['', stars, 'FINAL QUALITY METRICS REPORT:', '-'.repeat(50), ...lines, stars, ''].join('\n');
  const result = `SUCCESS: Command completed without errors\n${report('R Free: 0.2400', 'R Work: 0.2100', 'Has Anomalous: True')}`;
  const last = { ...run('refine', {}, ['/d/refine_001_001.pdb']), result };

  it('is read from the result', async () => {
    const { decision, events } = await ask([xtriage, phaser, ...refined(0.244), last]);
    expect(decision.program).toBe('phenix.molprobity');
    const extracted = events.find(({ type }) => type === 'metrics_extracted');
    expect(extracted?.data['metrics']).toEqual({ r_free: 0.24, r_work: 0.21, has_anomalous: true });
  });

  it("is read from the log, after the program's own metrics", async () => {
    const log_content = `Final R-work = 0.2000, R-free = 0.2300\n${report('R Free: 0.4200', 'Clashscore: 3.10')}`;
    const { events } = await ask([xtriage, phaser, { ...last, result: 'SUCCESS' }], { log_content });
    const metrics = events.find(({ type }) => type === 'metrics_extracted')?.data['metrics'];
    expect(metrics).toMatchObject({ r_free: 0.23, clashscore: 3.1 });
  });

  it('may replace the metrics themselves', async () => {
    const { events } = await ask([xtriage, phaser, { ...last, result: 'SUCCESS', analysis: report('R Free: 0.2400') }]);
    expect(events.find(({ type }) => type === 'metrics_extracted')?.data['metrics']).toEqual({ r_free: 0.24 });
    const { debug, error } = await ask([{ ...xtriage, analysis: 'a fine crystal' }]);
    expect([error, debug.log[0]]).toEqual([null, 'REQUEST: ignored field history[0].analysis']);
  });

  it("has a lower priority than the client's named metrics", async () => {
    const { events } = await ask([xtriage, phaser, { ...last, analysis: { r_free: 0.25 } }]);
    expect(events.find(({ type }) => type === 'metrics_extracted')?.data['metrics']).toMatchObject({ r_free: 0.25 });
  });
});

describe('the end of a log', () => {
  const sentence = 'Multiple equally suitable arrays of observed xray data found.';
  const ambiguous = [
    sentence,
    '',
    'Possible choices:',
    '  /d/data.mtz:I(+),SIGI(+),I(-),SIGI(-)',
    '  /d/data.mtz:IMEAN,SIGIMEAN',
    '',
    'Please use scaling.input.xray_data.labels',
    'to specify an unambiguous substring of the target label.',
    '',
    `Sorry: ${sentence}`,
  ].join('\n');
  const failed = { ...xtriage, analysis: {}, result: 'FAILED: exit code 1' };

  it.each([
    ['of a run that the client calls failed', ambiguous, 'FAILED: exit code 1'],
    ['of one that it says nothing about', ambiguous, ''],
    ['of one that it calls a success', ambiguous, 'SUCCESS: finished'],
    ['if the log is truncated by the transport', `${'reading\n'.repeat(8_000)}${ambiguous}`, 'FAILED: exit code 1'],
  ])('names the arrays for the next run, %s', async (_, log_content, result) => {
    const { decision, debug } = await ask([{ ...failed, result }], { log_content });
    expect(decision.argv).toContain('scaling.input.xray_data.obs_labels=I(+)');
    expect(debug.log.join('\n')).toContain('uses the array I(+)');
  });

  it('overrides a reported success only if the log is complete', async () => {
    const log_content = `${ambiguous}\n${'reading\n'.repeat(8_000)}`;
    expect((await ask([xtriage], { log_content })).decision.argv.join(' ')).not.toContain('xtriage');
  });

  it('explains a failure in plain words', async () => {
    const { decision } = await ask([failed], { log_content: 'Sorry: No unit cell info available' });
    expect(decision.reasoning).toContain('Neither the files nor the command give the unit cell and space group.');
  });
});
