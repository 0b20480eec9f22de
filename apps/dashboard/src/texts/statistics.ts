import type { StatisticsGrouping } from '@fleet/contracts/statistics';

const sessionsText = (count: number): string => `${String(count)} session${count === 1 ? '' : 's'}`;

const figures = { toFirstRFree: 'Time to first R-free', toEnd: 'Time to end' } as const;

/** Texts of the page "Statistics". */
export const statisticsTexts = {
  title: 'Statistics',
  reach: 'Counts the sessions that you may see, by time of submission (UTC).',
  by: 'Group by',
  groupings: {
    month: 'Month',
    beamline: 'Beamline',
    proposal: 'Proposal',
    submitter: 'Submitter',
    resolution: 'Resolution',
    path: 'Path',
  } satisfies Record<StatisticsGrouping, string>,
  period: 'Period',
  periods: { '12-months': 'Last 12 months', '30-days': 'Last 30 days', all: 'All time', dates: 'Dates' },
  since: 'Submitted since',
  until: 'Submitted before',
  proposal: 'Proposal',
  beamline: 'Beamline',
  submitter: 'Submitter',
  csv: 'Download CSV',
  none: 'No session of this period matches these filters.',
  sessions: 'Sessions',
  running: 'Running',
  solvedShare: 'Solved of ended',
  coreHours: 'Core hours',
  gpuHours: 'GPU hours',
  ...figures,
  p50: 'p50',
  p95: 'p95',
  outcomesBy: {
    month: 'Sessions by month',
    beamline: 'Sessions by beamline',
    proposal: 'Sessions by proposal',
    submitter: 'Sessions by submitter',
    resolution: 'Sessions by resolution',
    path: 'Sessions by path',
  } satisfies Record<StatisticsGrouping, string>,
  byResolution: 'Outcomes by resolution',
  byPath: 'Outcomes by path to the model',
  shareNote: 'share of the n ended sessions',
  timeNote: 'half of the sessions took at most p50, 95\u00a0% at most p95',
  hoursNote: 'programs of ended sessions',
  nothing: 'No session of this period has this figure.',
  times: (figure: keyof typeof figures) => `${figures[figure]}, p50 / p95`,
  drawn: (count: number, all: number) => `first ${String(count)} of ${String(all)}; the table has more`,
  listed: (count: number, all: number) => `First ${String(count)} of ${String(all)} groups. The CSV file has all.`,
  chart: (title: string, bars: number) =>
    `${title}: ${String(bars)} bar${bars === 1 ? '' : 's'}. The table below has the figures.`,
  show: (count: number, what: string) => `${sessionsText(count)}: ${what}`,
} as const;
