import type { MetricPattern } from '@fleet/knowledge-model';
import { ProgramLogFormat, type LogReading } from './index';

const pattern = (changes: Partial<MetricPattern> & Pick<MetricPattern, 'pattern'>): MetricPattern => ({
  id: 'p',
  metric: 'm',
  type: 'number',
  why: 'a test',
  ...changes,
});

const read = (text: string | Uint8Array, patterns: readonly MetricPattern[], chunk = 7): LogReading => {
  const reader = new ProgramLogFormat(
    { name: 'phenix.x', metrics: patterns },
    { known: [], recoverable: [], endings: [] },
  ).open();
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk));
  return reader.end();
};

const valueOf = (text: string, changes: Partial<MetricPattern>): unknown =>
  read(text, [pattern({ pattern: '^CC: (?<value>-?[\\d.]+)', ...changes })]).metrics[0]?.value;

describe('selection among several matches', () => {
  const text = 'CC: 0.5\nCC: 0.9\nCC: 0.7\n';
  it.each([
    ['first', 0.5],
    [undefined, 0.7],
    ['min', 0.5],
    ['max', 0.9],
  ] as const)('%s', (take, value) => {
    expect(valueOf(text, { ...(take !== undefined && { take }) })).toBe(value);
  });
});

it.each([
  ['first', 0.5],
  [undefined, 0.7],
  ['min', 0.5],
  ['max', 0.9],
] as const)('of several in one line %s counts', (take, value) => {
  const text = 'copies: CC=0.5 CC=0.9 CC=0.7\n';
  expect(valueOf(text, { ...(take !== undefined && { take }), pattern: 'CC=(?<value>[\\d.]+)' })).toBe(value);
});

it('reports value, unit, line and pattern', () => {
  expect(
    read('a\n\nCC: 0.5\n', [pattern({ id: 'cc', metric: 'map_cc', pattern: 'CC: (?<value>[\\d.]+)', unit: '%' })])
      .metrics,
  ).toEqual([{ name: 'map_cc', value: 0.5, unit: '%', line: 3, pattern: 'cc' }]);
});

it('ignores values beyond the limits, such as sentinels', () => {
  expect(valueOf('CC: 0.5\nCC: 999.9\n', { max: 1 })).toBe(0.5);
});

it('scales a value to the unit of its metric', () => {
  expect(valueOf('CC: 97.5\n', { scale: 0.01 })).toBe(0.975);
});

it('reads only between its marks, every time they occur', () => {
  const text = 'CC: 0.1\nBEGIN\nCC: 0.2\nEND\nCC: 0.3\nBEGIN\nCC: 0.4\n';
  expect(valueOf(text, { after: '^BEGIN', until: '^END' })).toBe(0.4);
  expect(valueOf(text, { after: '^BEGIN', until: '^END', take: 'first' })).toBe(0.2);
});

describe('R factors', () => {
  const pair = pattern({
    metric: 'r_free',
    metrics: { r_work: 'work', r_free: 'free' },
    pattern: 'R/Rfree=(?<work>[\\d.]+)/(?<free>[\\d.]+)',
    max: 0.999,
  });
  const pairOf = (text: string): unknown => read(text, [pair]).metrics.map(({ value }) => value);

  it('are read in pairs', () => {
    expect(pairOf('R/Rfree=0.22/0.26\n')).toEqual([0.22, 0.26]);
  });

  it('are dropped as a pair if one of them is a sentinel', () => {
    expect(pairOf('R/Rfree=0.22/0.26\nR/Rfree=0.21/999.90\n')).toEqual([0.22, 0.26]);
  });

  it('may have R-free slightly below R-work, as shaken starting models do, but not swapped', () => {
    expect(pairOf('R/Rfree=0.423/0.417\n')).toEqual([0.423, 0.417]);
    expect(pairOf('R/Rfree=0.28/0.22\n')).toEqual([]);
  });
});

it('uses the first pattern that finds a metric', () => {
  const patterns = [
    pattern({ id: 'final', pattern: 'Final (?<value>\\d)' }),
    pattern({ id: 'any', pattern: '(?<value>\\d)' }),
  ];
  expect(read('Final 1\n2\n', patterns).metrics).toMatchObject([{ value: 1, pattern: 'final' }]);
  expect(read('2\n', patterns).metrics).toMatchObject([{ value: 2, pattern: 'any' }]);
});

describe('bytes', () => {
  it('that are not UTF-8 are skipped', () => {
    expect(
      read(Buffer.from([0xff, 0xfe, 0x0a, ...Buffer.from('CC: 0.5\n'), 0xc3]), [
        pattern({ pattern: 'CC: (?<value>[\\d.]+)' }),
      ]),
    ).toMatchObject({
      metrics: [{ value: 0.5, line: 2 }],
      lines: 3,
    });
  });

  it('of one character may come in two chunks', () => {
    expect(read('Å: 1\n', [pattern({ pattern: 'Å: (?<value>\\d)' })], 1).metrics).toMatchObject([{ value: 1 }]);
  });

  it('with carriage returns are split where a terminal would overwrite', () => {
    const reading = read('progress 1 %\rprogress 50 %\rCC: 0.5\r\nnext\r\n', [
      pattern({ pattern: '^CC: (?<value>[\\d.]+)$' }),
    ]);
    expect(reading).toMatchObject({ metrics: [{ value: 0.5, line: 1 }], lines: 2 });
    expect(reading.tail.at(-1)).toBe('next');
  });

  it('without a last line feed count as a line', () => {
    expect(read('CC: 0.5', [pattern({ pattern: 'CC: (?<value>[\\d.]+)' })])).toMatchObject({
      lines: 1,
      metrics: [{ value: 0.5 }],
    });
  });

  it('of an endless line are cut, and the next line is read', () => {
    const reading = read(`${'x'.repeat(300_000)}\nCC: 0.5\n`, [pattern({ pattern: '^CC: (?<value>[\\d.]+)' })], 10_000);
    expect(reading).toMatchObject({ cutLines: 1, lines: 2, metrics: [{ line: 2 }] });
    expect(reading.tail[0]?.length).toBeLessThan(1100);
  });

  it('of a line are matched up to 2,048 characters', () => {
    const after = (blanks: number): unknown =>
      read(`${' '.repeat(blanks)}CC: 0.5\n`, [pattern({ pattern: 'CC: (?<value>\\d\\.\\d)$' })]).metrics[0]?.value;
    expect([after(2_041), after(2_042)]).toEqual([0.5, undefined]);
  });

  it('are counted, and blank lines are not in the tail', () => {
    expect(read('a\n\n  b\n', [])).toMatchObject({ bytes: 7, lines: 3, tail: ['a', '  b'] });
  });

  it('of an empty log give an empty reading', () => {
    expect(read('', [])).toEqual({ metrics: [], lines: 0, bytes: 0, cutLines: 0, tail: [], signs: { statements: [] } });
  });
});

it("skips the agent's own report at the end of a log", () => {
  const stars = '*'.repeat(50);
  const text = `CC: 0.5\n${stars}\nFINAL QUALITY METRICS REPORT:\n${'-'.repeat(50)}\nCC: 0.9\n${stars}\nCC: 0.6\n`;
  const reading = read(text, [pattern({ pattern: '^CC: (?<value>[\\d.]+)', take: 'max' })]);
  expect(reading.metrics[0]?.value).toBe(0.6);
  expect(reading.tail).not.toContain('CC: 0.9');
});

it('keeps the last 200 lines', () => {
  const reading = read(Array.from({ length: 1000 }, (_, i) => `line ${i}`).join('\n'), []);
  expect([reading.tail.length, reading.tail[0], reading.tail[199]]).toEqual([200, 'line 800', 'line 999']);
});
