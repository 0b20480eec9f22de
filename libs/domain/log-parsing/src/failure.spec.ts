import { readFileSync } from 'node:fs';
import type { AttemptEnding } from '@fleet/contracts/sessions';
import type { ErrorKnowledge } from '@fleet/knowledge-model';
import { load } from 'js-yaml';
import { failureOf, type FailureEvidence } from './index';

const errors = load(readFileSync('knowledge/errors.yaml', 'utf8')) as ErrorKnowledge;

const ending = (changes: Partial<AttemptEnding> = {}): AttemptEnding => ({
  kind: 'exited',
  exitCode: 0,
  message: 'ended with exit code 0',
  infrastructure: false,
  endedAt: '2026-11-21T08:00:00.000Z',
  durationMs: 1000,
  ...changes,
});

const aLog = (tail: readonly string[], measured: boolean): FailureEvidence['log'] => ({
  metrics: measured ? [{ name: 'm', value: 1, line: 1, pattern: 'p' }] : [],
  tail,
  signs: { statements: [] },
});

const judge = (
  tail: readonly string[],
  changes: Partial<AttemptEnding> = {},
  missingOutputs: readonly string[] = [],
  program = 'phenix.refine',
  measured = true,
) => failureOf({ program, ending: ending(changes), log: aLog(tail, measured), missingOutputs }, errors);

it('is undefined for a successful run', () => {
  expect(judge(['R-free = 0.25', 'no error was found', 'errors: 0'])).toBeUndefined();
});

describe('failure words', () => {
  it.each([
    'refinement FAILED',
    'Sorry: no',
    'sorry no',
    '*** Error: x',
    'FATAL: x',
    'Traceback (most recent call last):',
    'an Exception',
  ])('are in %j', (line) => {
    expect(judge(['fine', line])?.lines[0]).toBe(line);
  });

  it.each(['error', 'Error: x', 'Standard error 0.1', 'sorrynot'])('are not in %j', (line) => {
    expect(judge(['fine', line])).toBeUndefined();
  });

  it('count only in the last lines if the program ended successfully', () => {
    expect(judge(['one try FAILED', ...Array.from({ length: 60 }, () => 'and another succeeded')])).toBeUndefined();
  });
});

describe('a partial result', () => {
  const line = '** Sorry - No solution with all components';

  it('is not a failure if it exists', () => {
    expect(judge(['TFZ==21.5', line], {}, [], 'phenix.phaser')).toBeUndefined();
  });

  it.each<[string, Partial<AttemptEnding>, readonly string[], boolean]>([
    ['was measured', {}, [], false],
    ['was left', {}, ['PHASER.*.pdb'], true],
    ['ended well', { exitCode: 1 }, [], true],
  ])('is a failure if nothing %s', (_, changes, missing, measured) => {
    expect(judge([line], changes, missing, 'phenix.phaser', measured)?.known).toBe('no_mr_solution');
  });
});

describe('the cause', () => {
  it('is the ending if the program did not end by itself', () => {
    const message = 'phenix.refine was ended after 60 s, its limit';
    expect(judge(['x'], { kind: 'wall_clock_limit', message })).toEqual({ cause: message, lines: ['x'] });
  });

  it('is the error that the program states', () => {
    const tail = ['Starting', 'Sorry: the moon is not made of cheese.', 'Try another moon.'];
    expect(judge(tail, { exitCode: 1 })).toEqual({
      cause: 'the moon is not made of cheese.',
      lines: ['Sorry: the moon is not made of cheese.', 'Try another moon.'],
    });
  });

  it('is the last line of a traceback, with up to 20 lines', () => {
    const tail = [
      'Traceback (most recent call last):',
      ...Array.from({ length: 40 }, (_, i) => `  File ${i}`),
      'KeyError: NH1',
    ];
    const failure = judge(tail, { exitCode: 1 });
    expect(failure?.cause).toBe('KeyError: NH1');
    expect([failure?.lines.length, failure?.lines[0], failure?.lines.at(-1)]).toEqual([20, tail[0], 'KeyError: NH1']);
  });

  it('is a plain sentence for a known error, even across a line break', () => {
    const failure = judge(['Sorry: Multiple equally suitable arrays of observed', '  xray data found.'], {
      exitCode: 1,
    });
    expect(failure?.known).toBe('ambiguous_data_labels');
    expect(failure?.cause).toMatch(/several arrays of observations.*Name the column labels/);
  });

  it('is found without a failure word', () => {
    expect(judge(['Cell and/or symmetry not specified in reflection file'], { exitCode: 1 })?.known).toBe(
      'missing_crystal_symmetry',
    );
  });

  it('is a known error only in the last lines of a log without an exit code', () => {
    const { exitCode, ...unknown } = ending();
    const alone = (tail: readonly string[]) =>
      failureOf({ program: 'phenix.xtriage', ending: unknown, log: aLog(tail, true), missingOutputs: [] }, errors);
    expect(exitCode).toBe(0);
    expect(alone(['Cell and/or symmetry not specified in reflection file'])?.known).toBe('missing_crystal_symmetry');
    expect(alone(['Resolution: 2.1'])).toBeUndefined();
  });

  it('is a known error without a failure word even if the exit code is 0 and nothing was measured', () => {
    const tail = ['Cell and/or symmetry not specified in reflection file'];
    const knownOf = (measured: boolean) => judge(tail, {}, [], 'phenix.xtriage', measured)?.known;
    expect([knownOf(false), knownOf(true)]).toEqual(['missing_crystal_symmetry', undefined]);
    expect(judge(['No anomalous data'], {}, ['heavy-atom sites'], 'phenix.autosol')?.known).toBe('no_anomalous_signal');
  });

  it('includes the list before the error if the program repeats its sentence', () => {
    const sentence = 'Multiple equally suitable arrays of experimental phases found.';
    const listed = ['  /d/x.mtz:HLA,HLB,HLC,HLD', '  /d/x.mtz:HLanomA,HLanomB,HLanomC,HLanomD'];
    const lines = [
      sentence,
      'Possible choices:',
      ...listed,
      'Please use experimental_phases.labels',
      `Sorry: ${sentence}`,
    ];
    expect(judge(['reading', ...lines], { exitCode: 1 })?.lines).toEqual(lines);
  });

  it.each([
    ['phenix.phaser', 'no_mr_solution', 'Molecular replacement did not place'],
    ['phenix.ligandfit', 'no_ligand_density', 'no density outside of the model into which the ligand fits'],
    ['phenix.dock_in_map', 'no_docking_solution', 'was not found in the map'],
  ])("is for %s the program's own meaning of a text", (program, known, means) => {
    const failure = judge(['Sorry: no solution'], { exitCode: 1 }, [], program);
    expect(failure?.known).toBe(known);
    expect(failure?.cause).toContain(means);
  });

  it("is the program's own text if only other programs give it a meaning", () => {
    expect(judge(['Sorry: no solution of the normal equations'], { exitCode: 1 })).toEqual({
      cause: 'no solution of the normal equations',
      lines: ['Sorry: no solution of the normal equations'],
    });
  });

  it('is the exit code if no error is stated', () => {
    expect(judge(['a', 'b'], { exitCode: 3 })).toEqual({
      cause: 'the program ended with exit code 3.',
      lines: ['a', 'b'],
    });
  });

  it('contains the last five lines of the log if none states it', () => {
    const tail = Array.from({ length: 30 }, (_, i) => `line ${i}`);
    const last = tail.slice(-5);
    expect(judge(tail, { exitCode: 3 })?.lines).toEqual(last);
    expect(judge(tail, { kind: 'wall_clock_limit', message: 'too long' })?.lines).toEqual(last);
    expect(judge(tail, {}, ['placed model'])?.lines).toEqual(last);
  });

  it.each([
    ['  Sorry : the moon  ', 'the moon'],
    ['Sorry the moon', 'the moon'],
    ['FATAL:the moon', 'the moon'],
    ['sorry:the moon', 'the moon'],
    ['Stopped: FAILED with KeyError', 'Stopped: FAILED with KeyError'],
  ])('is without the word that announces it: %j', (line, cause) => {
    expect(judge([line], { exitCode: 1 })?.cause).toBe(cause);
  });

  it('is truncated if it is endless', () => {
    expect(judge([`Sorry: ${'x'.repeat(400)}`], { exitCode: 1 })?.cause).toBe('x'.repeat(300));
  });

  it('is the first line if the error is stated without a traceback, whatever follows', () => {
    expect(judge(['Sorry: no', 'KeyError: NH1'], { exitCode: 1 })?.cause).toBe('no');
  });

  it('is the missing output of a program that printed nothing', () => {
    expect(judge([], {}, ['refined model'])?.cause).toBe('The program printed nothing and left no refined model.');
  });

  it('is a missing output if everything else is fine', () => {
    expect(judge(['done'], {}, ['placed model'])?.cause).toBe(
      'The program ended without an error and left no placed model.',
    );
  });
});

it('needs no output of a program without outputs', () => {
  expect(judge([])).toBeUndefined();
});

it('has a unique id for each error', () => {
  const ids = errors.known.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('a whole log', () => {
  const statement = [
    '-->Please either specify PHIB and HL coeffs or neither or else',
    "specify 'use_hl_if_present=False'",
  ];
  const summaryOf = (
    tail: readonly string[],
    signs: FailureEvidence['log']['signs'],
    changes: Partial<AttemptEnding> = {},
  ) =>
    failureOf(
      { program: 'phenix.autobuild', ending: ending(changes), log: { ...aLog(tail, true), signs }, missingOutputs: [] },
      errors,
    );

  it('contains an error with a known recovery, far from the failure words', () => {
    const failure = summaryOf(['Sorry: it ends here'], { statements: [statement] }, { exitCode: 1 });
    expect(failure).toMatchObject({ known: 'hl_without_phib', lines: [...statement, 'Sorry: it ends here'] });
  });

  it('lists unknown parameters above the words about them', () => {
    const list = ['  Unrecognized PHIL parameters:', '  ----', '    nosuch.scope=3'];
    const sorry = 'Sorry: Some PHIL parameters are not recognized by phenix.autobuild.';
    const failure = summaryOf([...list, sorry], { statements: [[...list, sorry]] }, { exitCode: 1 });
    expect(failure).toMatchObject({ known: 'unknown_parameter', lines: [...list, sorry] });
    expect(summaryOf([sorry], { statements: [[sorry]] }, { exitCode: 1 })?.lines).toEqual([sorry]);
  });

  it('adds nothing if the end is a known error, or the run succeeded', () => {
    expect(summaryOf(['Sorry: No space left on device'], { statements: [statement] }, { exitCode: 1 })?.known).toBe(
      'disk_full',
    );
    expect(summaryOf(['fine'], { statements: [statement] })).toBeUndefined();
  });

  it('ended early if it does not end as expected, and the exit code is unknown', () => {
    const { exitCode, ...rest } = ending();
    const alone = (tail: readonly string[]) =>
      failureOf(
        {
          program: 'phenix.refine',
          ending: rest,
          log: { ...aLog(tail, true), signs: { statements: [], awaited: ['Job complete'] } },
          missingOutputs: [],
        },
        errors,
      );
    expect(exitCode).toBe(0);
    expect(alone(['half way'])?.cause).toContain('"Job complete"');
    expect(alone(['Job complete', 'usr+sys time: 3 seconds'])).toBeUndefined();
    expect(summaryOf(['half way'], { statements: [], awaited: ['Job complete'] })).toBeUndefined();
  });

  it.each(['Segmentation fault', 'Bus error (core dumped)', 'Sorry, no', 'Stopping as model is outside map'])(
    'ends with a failure, whatever exit code and numbers say: %s',
    (line) => {
      expect(judge(['fine', line])).toBeDefined();
    },
  );
});
