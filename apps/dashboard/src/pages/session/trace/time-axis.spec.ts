import type { Operation, TraceView } from '@fleet/contracts/results';
import { barOf, spansOf, ticksOf, timeByKind, wholeSpan } from './time-axis';
import { traceTree } from './trace-tree';

const at = (second: number): string => new Date(second * 1000).toISOString();
const one = (
  path: string,
  kind: Operation['kind'],
  from?: number,
  to?: number,
  status: Operation['status'] = 'done',
) => ({
  path,
  kind,
  what: kind,
  status,
  ...(from !== undefined && { startedAt: at(from) }),
  ...(to !== undefined && { endedAt: at(to) }),
});
const operations = [
  one('1', 'cycle', 10),
  one('1.1', 'decision', undefined, 12),
  one('1.2', 'wait', 12, 40),
  one('1.3', 'program', 40, undefined, 'open'),
  one('2', 'cycle'),
  one('2.1', 'program', 70, 60),
  one('a1', 'assessment', 500),
];
const rows = traceTree(operations);
const now = 100_000;
const spans = spansOf(rows, now);
const trace: TraceView = {
  id: 'x',
  status: 'running',
  startedAt: at(5),
  operations,
  spent: { requests: 0, inputTokens: 0, outputTokens: 0, cost: 0, unpriced: 0 },
};

describe('the time span of an operation', () => {
  it.each([
    ['1', 10, 100],
    ['1.1', 12, 12],
    ['1.2', 12, 40],
    ['1.3', 40, 100],
    ['2', 70, 70],
    ['2.1', 70, 70],
  ])('%s: includes its parts, until now if it is in progress', (path, from, to) => {
    expect(spans.get(path)).toEqual({ from: from * 1000, to: to * 1000 });
  });

  it('is undefined if it was not recorded', () => {
    expect(spansOf(traceTree([one('1', 'cycle')]), now).size).toBe(0);
  });

  it('adds up by kind, for operations without parts', () => {
    expect(Object.fromEntries(timeByKind(rows, spans))).toEqual({
      decision: 0,
      wait: 28_000,
      program: 60_000,
      assessment: 0,
    });
  });
});

describe('the axis', () => {
  it('begins at the submission and ends now, or at the end of the last cycle', () => {
    expect(wholeSpan(trace, spans, now)).toEqual({ from: 5_000, to: now });
    const over = { ...trace, endedAt: at(900) };
    expect(wholeSpan(over, spansOf(rows, 90_000), now)).toEqual({ from: 5_000, to: 90_000 });
    expect(wholeSpan({ ...over, operations: [] }, new Map(), now)).toEqual({ from: 5_000, to: 900_000 });
  });

  it('clips bars beyond it, and marks the side', () => {
    const axis = { from: 100, to: 200 };
    expect(barOf({ from: 120, to: 150 }, axis)).toEqual({ left: 20, width: 30 });
    expect(barOf({ from: 50, to: 400 }, axis)).toEqual({ left: 0, width: 100 });
    expect([barOf({ from: 1, to: 99 }, axis), barOf({ from: 201, to: 300 }, axis)]).toEqual(['before', 'after']);
  });

  it.each([
    [10_000, ['0 s', '2 s', '4 s', '6 s', '8 s', '10 s']],
    [600_000, ['0 min', '2 min', '4 min', '6 min', '8 min', '10 min']],
    [3 * 86_400_000, ['0 h', '12 h', '24 h', '36 h', '48 h', '60 h', '72 h']],
    [20 * 86_400_000, ['0 d', '7 d', '14 d']],
    [400 * 86_400_000, ['0 d', '67 d', '134 d', '201 d', '268 d', '335 d']],
  ])('has round ticks over %d ms', (length, texts) => {
    const ticks = ticksOf({ from: 1_000, to: 1_000 + length }, 1_000, 6);
    expect(ticks.map(({ text }) => text)).toEqual(texts);
    expect(ticks[0]?.left).toBe(0);
  });

  it('counts from the beginning of the session even when zoomed', () => {
    expect(ticksOf({ from: 61_000, to: 71_000 }, 0, 3).map(({ text, left }) => [text, left])).toEqual([
      ['65 s', 40],
      ['70 s', 90],
    ]);
  });
});
