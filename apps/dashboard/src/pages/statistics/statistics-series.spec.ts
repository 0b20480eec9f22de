import { sessionOutcomes } from '@fleet/contracts/sessions';
import type { StatisticsGroup } from '@fleet/contracts/statistics';
import { hourBars, hoursText, kindsOf, outcomeBars, shareBars, timeBars, withEmptyMonths } from './statistics-series';

const noOutcomes = Object.fromEntries(sessionOutcomes.map((one) => [one, 0])) as StatisticsGroup['outcomes'];

const group = (key: string, more: Partial<StatisticsGroup> = {}): StatisticsGroup => ({
  ...{ key, sessions: 4, unended: 1, coreHours: 0, gpuHours: 0 },
  outcomes: { ...noOutcomes, solved: 2, cancelled: 1 },
  ...more,
});

describe('the bars of statistics', () => {
  it('include months without a session', () => {
    const filled = withEmptyMonths([group('2026-11'), group('2027-02')]);
    expect(filled.map(({ key, sessions }) => [key, sessions])).toEqual([
      ['2026-11', 4],
      ['2026-12', 0],
      ['2027-01', 0],
      ['2027-02', 4],
    ]);
    expect(withEmptyMonths([])).toEqual([]);
  });

  it('have a part for each outcome that occurs, the best at the bottom', () => {
    const groups = [group('i04'), group('', { unended: 0, outcomes: { ...noOutcomes, rejected: 4 } })];
    expect(kindsOf(groups)).toEqual(['solved', 'rejected', 'running', 'cancelled']);
    const { labels, series } = outcomeBars('beamline', groups);
    expect([labels, series.map(({ label, values }) => [label, ...values])]).toEqual([
      ['i04', 'none'],
      [
        ['Solved', 2, 0],
        ['Rejected', 0, 4],
        ['Running', 1, 0],
        ['Cancelled', 1, 0],
      ],
    ]);
  });

  it('are shares of the ended sessions; groups without one have no bar', () => {
    const running = group('docking', { sessions: 1, outcomes: noOutcomes });
    const { labels, series } = shareBars('path', [group('prediction'), running]);
    expect(labels).toEqual(['prediction\nn 3']);
    expect(series.map(({ label, texts }) => [label, ...texts])).toEqual([
      ['Solved', '67 % (2)'],
      ['Cancelled', '33 % (1)'],
    ]);
    expect(series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBeCloseTo(100);
  });

  it('end at p50, and with their second part at p95', () => {
    const groups = [group('mx1', { toEnd: { p50: 3600, p95: 5400 } }), group('mx2')];
    expect(timeBars('proposal', groups, 'toEnd').series.map(({ values, texts }) => [...values, ...texts])).toEqual([
      [3600, 0, '1 h 00 min', '–'],
      [1800, 0, '1 h 30 min', '–'],
    ]);
    expect(timeBars('proposal', groups, 'toFirstRFree').series).toEqual([]);
  });

  it('are hours, if any were used', () => {
    const groups = [group('mx1', { coreHours: 12.34 }), group('mx2', { coreHours: 1234.5 })];
    expect(hourBars('proposal', groups, 'coreHours').series[0]?.values).toEqual([12.34, 1234.5]);
    expect(hourBars('proposal', groups, 'gpuHours').series).toEqual([]);
    expect([hoursText(12.34), hoursText(1234.56)]).toEqual(['12.3', '1235']);
  });
});
