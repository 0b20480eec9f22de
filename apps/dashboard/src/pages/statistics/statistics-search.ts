import type { QueryOf } from '@fleet/api-client';
import { statisticsGroupings, type StatisticsGrouping } from '@fleet/contracts/statistics';
import { readListSearch, type ListSearch } from '../sessions/list-search';

/** Periods that end now. */
const relativePeriods = ['12-months', '30-days', 'all'] as const;
type RelativePeriod = (typeof relativePeriods)[number];

const dayMs = 86_400_000;

const names = ['by', 'period', 'since', 'until', 'proposal', 'beamline', 'submitter'] as const;

/** URL parameters of the page. `since` and `until` are days (UTC) and take precedence over `period`. */
export type StatisticsSearch = { readonly [N in (typeof names)[number]]?: string };

const isDay = (value: string): boolean => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

const allowed: Readonly<Partial<Record<string, (value: string) => boolean>>> = {
  by: (value) => statisticsGroupings.some((one) => one === value),
  period: (value) => relativePeriods.some((one) => one === value),
  since: isDay,
  until: isDay,
};

/** Reads the URL parameters; unknown filters and invalid values are dropped. */
export const readStatisticsSearch = (raw: Readonly<Record<string, unknown>>): StatisticsSearch =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = raw[name];
      return typeof value === 'string' && value !== '' && (allowed[name]?.(value) ?? true) ? [[name, value]] : [];
    }),
  );

export const groupingOf = ({ by }: StatisticsSearch): StatisticsGrouping =>
  statisticsGroupings.find((one) => one === by) ?? 'month';

/** By default twelve months. */
export const periodOf = ({ period, since, until }: StatisticsSearch): RelativePeriod | 'dates' =>
  since !== undefined || until !== undefined ? 'dates' : (relativePeriods.find((one) => one === period) ?? '12-months');

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The first day of a period, UTC: of this month and the eleven before, or of thirty days that end today. */
const firstDays: Readonly<Record<RelativePeriod, (now: number) => string | undefined>> = {
  '12-months': (now) => {
    const date = new Date(now);
    return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 11, 1));
  },
  '30-days': (now) => dayOf(now - 29 * dayMs),
  all: () => undefined,
};

/** The parameters with another period; dates begin with the first day of the previous one. */
export const withPeriod = (search: StatisticsSearch, chosen: string, now: number): StatisticsSearch => {
  const before = periodOf(search);
  if (chosen !== 'dates')
    return readStatisticsSearch({ ...search, period: chosen === '12-months' ? '' : chosen, since: '', until: '' });
  return before === 'dates'
    ? search
    : readStatisticsSearch({ ...search, period: '', since: firstDays[before](now) ?? dayOf(now) });
};

/** The parameters of the API request. */
export const statisticsParameters = (search: StatisticsSearch, now: number): QueryOf<'GET /v1/statistics'> => {
  const { period: _period, ...rest } = search;
  const chosen = periodOf(search);
  const since = chosen === 'dates' ? search.since : firstDays[chosen](now);
  return { ...rest, by: groupingOf(search), ...(since !== undefined && { since }) };
};

/** The month after one such as `2026-12`. */
export const monthAfter = (key: string): string => {
  const [year = 0, month = 0] = key.split('-').map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
};

/** The matching filter of the list of sessions; undefined: there is none. */
export const listSearchOf = (
  by: StatisticsGrouping,
  key: string,
  { proposal, beamline, submitter, until }: StatisticsSearch,
  since: string | undefined,
): ListSearch | undefined => {
  const filters = readListSearch({ proposal, beamline, submitter, since, until });
  if (by === 'month') {
    const [first, end] = [`${key}-01`, `${monthAfter(key)}-01`];
    return {
      ...filters,
      since: since !== undefined && since > first ? since : first,
      until: until !== undefined && until < end ? until : end,
    };
  }
  return by === 'resolution' || by === 'path' || key === '' ? undefined : { ...filters, [by]: key };
};
