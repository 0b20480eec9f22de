import {
  groupingOf,
  listSearchOf,
  periodOf,
  readStatisticsSearch,
  statisticsParameters,
  withPeriod,
} from './statistics-search';

const now = Date.parse('2026-11-27T04:00:00Z');

describe('the URL parameters of the page "Statistics"', () => {
  it('are read from the URL; invalid ones are dropped', () => {
    const search = { by: 'path', period: 'all', proposal: '007' };
    expect(readStatisticsSearch(search)).toEqual(search);
    expect(
      readStatisticsSearch({
        by: 'colour',
        period: 'dates',
        since: '2026',
        until: '2026-13-01',
        beamline: '',
        sort: 'x',
      }),
    ).toEqual({});
    expect([groupingOf({}), periodOf({}), periodOf({ period: 'all', until: '2026-01-01' })]).toEqual([
      'month',
      '12-months',
      'dates',
    ]);
  });

  it.each([
    [{}, { by: 'month', since: '2025-12-01' }],
    [{ period: '30-days' }, { by: 'month', since: '2026-10-29' }],
    [
      { by: 'beamline', period: 'all', proposal: 'mx1' },
      { by: 'beamline', proposal: 'mx1' },
    ],
    [{ until: '2026-02-01' }, { by: 'month', until: '2026-02-01' }],
    [
      { since: '2026-01-01', until: '2026-02-01', period: 'all' },
      { by: 'month', since: '2026-01-01', until: '2026-02-01' },
    ],
  ])('of %j become the API request', (search, parameters) => {
    expect(statisticsParameters(search, now)).toEqual(parameters);
  });

  it('keep the filters in another period, and dates begin with the previous period', () => {
    const search = { by: 'path', proposal: 'mx1' };
    const dates = withPeriod(search, 'dates', now);
    expect(dates).toEqual({ ...search, since: '2025-12-01' });
    expect(withPeriod(dates, 'dates', now)).toEqual(dates);
    expect(withPeriod(dates, '30-days', now)).toEqual({ ...search, period: '30-days' });
    expect(withPeriod({ ...search, period: '30-days' }, '12-months', now)).toEqual(search);
    expect(withPeriod({ period: 'all' }, 'dates', now)).toEqual({ since: '2026-11-27' });
  });

  it.each([
    ['month', '2026-12', {}, { since: '2026-12-01', until: '2027-01-01' }],
    ['month', '2026-10', { until: '2026-10-05' }, { since: '2026-10-03', until: '2026-10-05' }],
    ['beamline', 'i04', { proposal: 'mx1' }, { proposal: 'mx1', beamline: 'i04', since: '2026-10-03' }],
    ['beamline', '', {}, undefined],
    ['resolution', '1.5', {}, undefined],
    ['path', 'docking', {}, undefined],
  ] as const)('by %s %j is in the list of sessions, where it has such a filter', (by, key, search, list) => {
    expect(listSearchOf(by, key, search, '2026-10-03')).toEqual(list);
  });
});
