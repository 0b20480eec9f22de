import type { Metric } from '@fleet/contracts/sessions';
import { isFault } from '@fleet/contracts/faults';
import type { MetricPattern } from '@fleet/knowledge-model';
import { LogLine } from './line-reader';
import { compilePattern, patternReader } from './pattern-reader';

const aPattern = (changes: Partial<MetricPattern>): MetricPattern => ({
  id: 'p',
  metric: 'm',
  type: 'number',
  why: 'a test',
  pattern: '^M: (?<value>.*)$',
  ...changes,
});

const metricsIn = (lines: readonly string[], changes: Partial<MetricPattern>): readonly Metric[] => {
  const reader = patternReader(compilePattern(aPattern(changes)));
  for (const [index, line] of lines.entries()) reader.line(new LogLine(line, index + 1));
  return reader.metrics();
};

const valueOf = (text: string, changes: Partial<MetricPattern>): unknown => metricsIn([text], changes)[0]?.value;

describe('a value', () => {
  it.each([
    ['12,345.5', 12_345.5],
    ['1,234,567', 1_234_567],
    ['-3', -3],
    ['1e-3', 0.001],
    ['three', 3],
    ['Twelve', 12],
    ['many', undefined],
  ])('of a number has commas between thousands: %s is %p', (text, value) => {
    expect(valueOf(`M: ${text}`, {})).toBe(value);
  });

  it.each([
    ['0.5', 0.5],
    ['1', 1],
    ['0.49', undefined],
    ['1.01', undefined],
  ])('counts between its limits, which are included: %s', (text, value) => {
    expect(valueOf(`M: ${text}`, { min: 0.5, max: 1 })).toBe(value);
  });

  it.each([
    ['4', 4],
    ['4.5', undefined],
  ])('of a whole number has no fraction: %s', (text, value) => {
    expect(valueOf(`M: ${text}`, { type: 'integer' })).toBe(value);
  });

  it.each([
    ['False', false],
    [' no ', false],
    ['NONE', false],
    ['0', false],
    ['True', true],
    ['nothing', true],
    ['10', true],
    ['not no', true],
  ])('of a boolean is false for words of denial: %j is %p', (text, value) => {
    expect(valueOf(`M: ${text}`, { type: 'boolean' })).toBe(value);
  });

  it('of a boolean may be the presence of the line', () => {
    expect(valueOf('converged', { type: 'boolean', pattern: '^converged' })).toBe(true);
  });

  it('may be fixed by the pattern, whatever the line contains', () => {
    expect(valueOf('No twinning', { type: 'string', pattern: '^No twinning', means: 'none' })).toBe('none');
  });

  it('of a text has no surrounding blanks, and a limited length', () => {
    expect(valueOf('M:   P 21 21 21  ', { type: 'string' })).toBe('P 21 21 21');
    expect(valueOf(`M: ${'x'.repeat(600)}`, { type: 'string' })).toBe('x'.repeat(500));
  });

  it('is undefined if its group did not match', () => {
    expect(valueOf('M:', { type: 'string', pattern: '^M:(?: (?<value>\\w+))?' })).toBeUndefined();
  });
});

describe('a pair of R factors', () => {
  const pair = { metrics: { r_work: 'work', r_free: 'free' }, pattern: '^R (?<work>[\\d.]+) (?<free>[\\d.]+)' };

  it.each([
    ['R 0.25 0.23', 2],
    ['R 0.25 0.2299', 0],
    ['R 0.2 0.25', 2],
  ])('belongs to one model if R-free is not below R-work: %s', (line, count) => {
    expect(metricsIn([line], pair)).toHaveLength(count);
  });
});

describe('lines between the marks', () => {
  const marked = { after: '^BEGIN', until: '^END' };

  it('are read even if one mark has no literal text', () => {
    const lines = ['M: 1', '12', 'M: 2', '34', 'M: 3'];
    expect(metricsIn(lines, { after: '^\\d+$', until: '^3' })).toMatchObject([{ value: 2, line: 3 }]);
  });

  it('do not include the marks', () => {
    const changes = { ...marked, pattern: '(?<value>\\d+)' };
    expect(metricsIn(['BEGIN 1', 'END 2'], changes)).toEqual([]);
    expect(metricsIn(['BEGIN 1', '7', 'END 2', '8'], changes)).toMatchObject([{ value: 7 }]);
  });
});

it('of equal values the first is kept for min and max', () => {
  for (const take of ['min', 'max'] as const)
    expect(metricsIn(['M: 4', 'M: 4'], { take })).toMatchObject([{ value: 4, line: 1 }]);
});

it('a unit is reported if the knowledge defines one', () => {
  expect(metricsIn(['M: 4'], {})).toEqual([{ name: 'm', value: 4, line: 1, pattern: 'p' }]);
  expect(metricsIn(['M: 4'], { unit: 'Å' })).toEqual([{ name: 'm', value: 4, line: 1, pattern: 'p', unit: 'Å' }]);
});

describe('the triggers of a reader', () => {
  const triggersOf = (changes: Partial<MetricPattern>): readonly string[] | undefined =>
    patternReader(compilePattern(aPattern(changes))).triggers;

  it('are the literal texts of its expressions', () => {
    expect(triggersOf({})).toEqual(['M:']);
    expect(triggersOf({ after: '^BEGIN', until: '^END' })).toEqual(['M:', 'BEGIN', 'END']);
  });

  it('are undefined if an expression has none', () => {
    expect(triggersOf({ after: '^\\d+$' })).toBeUndefined();
  });
});

it.each([
  [
    { pattern: '(a+)+(?<value>x)' },
    'pattern',
    'may take very long on some line: a repeated group contains a repetition',
  ],
  [{ until: '(b*)*' }, 'until', 'may take very long on some line: a repeated group contains a repetition'],
  [{ pattern: '^R = (?<number>.+)' }, 'pattern', 'has no group named value'],
])('the error for %j names the field', (changes, field, reason) => {
  try {
    compilePattern(aPattern(changes));
    throw new Error('it was accepted');
  } catch (error) {
    if (!isFault(error)) throw error;
    expect(error).toMatchObject({ code: 'knowledge.bad_pattern', kind: 'bug' });
    expect(error.problems).toEqual([{ field: `metrics.p.${field}`, reason }]);
  }
});
