import type { CycleRecord } from '@fleet/contracts/sessions';
import { aCatalogue, dataFile, factsBench, modelFile, ran, sequenceFile, type PastRun } from '@fleet/testing';

const bench = factsBench();
const { factsOf } = bench;

type Sheet = ReturnType<typeof factsOf>;

const inputs = [dataFile(), modelFile(), sequenceFile()];
const refined = (cycle: number, r_free: number, more: PastRun = {}): CycleRecord =>
  ran(cycle, 'refine', { metrics: { r_free }, ...more });

describe('the facts of a program', () => {
  const refine = (facts: Sheet): Sheet =>
    Object.fromEntries(
      Object.entries(facts)
        .filter(([name]) => /^[a-z_]+\.(refine|refine_done)$/.test(name))
        .map(([name, value]) => [name.split('.')[0]!, value]),
    );

  it('before its first run', () => {
    expect(refine(factsOf(inputs))).toMatchObject({
      runs: 0,
      fails: 0,
      tried: false,
      last: 0,
      last_error: undefined,
      installed: true,
      usable: true,
      exhausted: false,
      skipped: false,
      provider: 'open-phenix',
    });
  });

  it('count its successes and failures', () => {
    const cycles = [
      refined(1, 0.3),
      ran(2, 'refine', { fails: 'nobody knows why' }),
      refined(3, 0.29),
      ran(4, 'polder'),
    ];
    expect(refine(factsOf(inputs, { cycles }))).toMatchObject({
      runs: 2,
      fails: 1,
      tried: true,
      last: 3,
      last_error: 'unlisted',
    });
    const failed = factsOf(inputs, { cycles: [ran(1, 'refine', { fails: 'nobody knows why' })] });
    expect(refine(failed)).toMatchObject({ runs: 0, fails: 1, tried: true, last: 0 });
  });

  it('ignore infrastructure failures', () => {
    const lost = ran(1, 'refine', { fails: 'lost' });
    const ending = { ...lost.attempts[0]!.ending!, infrastructure: true };
    const spoiled = { ...lost, attempts: [{ ...lost.attempts[0]!, ending }] };
    expect(refine(factsOf(inputs, { cycles: [spoiled] }))).toMatchObject({ runs: 0, fails: 0, tried: false });
  });

  it('mark it as unavailable if the site withholds it', () => {
    const withheld = [{ program: 'phenix.refine', why: 'the site says so' }];
    const catalogue = { ...aCatalogue({ without: ['refine'] }), withheld };
    expect(refine(factsOf(inputs, { catalogue }))).toMatchObject({ installed: false, usable: false });
  });

  it('state whether it is installed, and its vendor', () => {
    const without = aCatalogue({ without: ['refine'] });
    expect(refine(factsOf(inputs, { catalogue: without }))).toMatchObject({
      installed: false,
      usable: false,
      provider: undefined,
    });
    const simulated = aCatalogue({ provider: 'simulated' });
    expect(refine(factsOf(inputs, { catalogue: simulated }))).toMatchObject({ installed: false, usable: false });
    const settings = { simulated_programs: ['phenix.refine'] };
    expect(refine(factsOf(inputs, { catalogue: simulated, settings }))).toMatchObject({
      installed: true,
      provider: 'simulated',
    });
  });

  it('state who excluded it', () => {
    const skipping = { workflow_preferences: { skip_programs: ['phenix.refine'] } };
    expect(refine(factsOf(inputs, { directives: skipping }))).toMatchObject({ skipped: true, usable: false });
    expect(refine(factsOf(inputs, { steering: { blocked: ['phenix.refine'] } }))).toMatchObject({
      skipped: false,
      usable: false,
    });
    const exhausted = new Map([['phenix.refine', 'every command has run']]);
    expect(refine(factsOf(inputs, { exhausted }))).toMatchObject({ exhausted: true, usable: false });
  });

  const failing = (count: number, from = 1, program = 'refine'): readonly CycleRecord[] =>
    Array.from({ length: count }, (_, index) => ran(from + index, program, { fails: `trouble ${index}` }));
  const usable = (cycles: readonly CycleRecord[], program = 'refine'): unknown =>
    factsOf(inputs, { cycles })[`usable.${program}`];

  it('state whether it failed too often: in a row, or in the session', () => {
    const { in_a_row, of_refinement, of_others } = bench.ruleBook.errors.limits;
    expect(usable(failing(in_a_row - 1))).toBe(true);
    expect(usable(failing(in_a_row))).toBe(false);
    const often = (count: number, program: string): readonly CycleRecord[] =>
      Array.from({ length: count }, (_, index) => [
        ran(2 * index + 1, program, { fails: `trouble ${index}` }),
        ran(2 * index + 2, program),
      ]).flat();
    expect(usable(often(of_refinement - 1, 'refine'))).toBe(true);
    expect(usable(often(of_refinement, 'refine'))).toBe(false);
    expect(usable(often(of_others - 1, 'polder'), 'polder')).toBe(true);
    expect(usable(often(of_others, 'polder'), 'polder')).toBe(false);
  });

  it('exclude a program that fails permanently, until another program has changed its input', () => {
    const terminal = bench.ruleBook.errors.terminal_words[0]!;
    const broken = ran(1, 'polder', { fails: 'it broke', errorLines: [`It says: ${terminal}`] });
    expect(usable([broken], 'polder')).toBe(false);
    expect(usable([ran(1, 'polder', { fails: 'it broke' })], 'polder')).toBe(true);
    expect(usable([broken, refined(2, 0.3)], 'polder')).toBe(true);
    expect(usable([broken, ran(2, 'xtriage')], 'polder')).toBe(false);
    expect(usable([broken, ran(2, 'refine', { fails: 'x' })], 'polder')).toBe(false);
  });

  it('allow another run if the client requests it', () => {
    const steering = { retry: { program: 'phenix.refine', after: 9 } };
    const cycles = failing(bench.ruleBook.errors.limits.in_a_row);
    expect(factsOf(inputs, { cycles, steering })['usable.refine']).toBe(true);
    expect(factsOf(inputs, { cycles: [...cycles, ...failing(1, 10)], steering })['usable.refine']).toBe(false);
    const other = { retry: { program: 'phenix.polder', after: 9 } };
    expect(factsOf(inputs, { cycles, steering: other })['usable.refine']).toBe(false);
  });

  it('keep the metrics of its last success', () => {
    const cycles = [
      refined(1, 0.3),
      refined(2, 0.25),
      ran(3, 'refine', { metrics: { r_free: 0.5 }, fails: 'it broke' }),
    ];
    expect(factsOf(inputs, { cycles })['refine.r_free']).toBe(0.25);
  });
});

describe('the facts of the directives', () => {
  it('are off without directives', () => {
    expect(factsOf(inputs)).toMatchObject({
      'directive.after_program': undefined,
      'directive.after_program_done': false,
      'directive.skip_validation': false,
      'directive.use_experimental_phasing': false,
      'directive.use_molecular_replacement': false,
      'directive.use_mr_sad': false,
      'directive.model_is_placed': false,
    });
  });

  it('are the values of the directives', () => {
    const preferences = {
      use_experimental_phasing: true,
      use_molecular_replacement: true,
      use_mr_sad: true,
      model_is_placed: true,
    };
    const directives = {
      stop_conditions: { after_cycle: 3, skip_validation: true, map_cc_target: 0.7, max_refine_cycles: 2 },
      workflow_preferences: preferences,
    };
    expect(factsOf(inputs, { directives })).toMatchObject({
      'directive.after_cycle': 3,
      'directive.skip_validation': true,
      'directive.map_cc_target': 0.7,
      'setting.map_cc_target': 0.7,
      'setting.max_refine_cycles': 2,
      'directive.use_experimental_phasing': true,
      'directive.use_molecular_replacement': true,
      'directive.use_mr_sad': true,
      'directive.model_is_placed': true,
    });
  });

  it('state whether the last program has run', () => {
    const directives = { stop_conditions: { after_program: 'phenix.refine' } };
    const done = (cycles: readonly CycleRecord[]): unknown =>
      factsOf(inputs, { cycles, directives })['directive.after_program_done'];
    expect(factsOf(inputs, { directives })['directive.after_program']).toBe('phenix.refine');
    expect([done([]), done([refined(1, 0.3)]), done([refined(1, 0.3, { fails: 'it broke' })])]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
