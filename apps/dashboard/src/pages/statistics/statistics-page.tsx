import { Box, Group, Paper, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useId, type ReactElement } from 'react';
import type { StatisticsGroup, StatisticsGrouping } from '@fleet/contracts/statistics';
import { downloadStatistics, fetchStatistics, serverNow } from '../../api/calls';
import { DownloadButton } from '../../parts/download-button';
import { Failure } from '../../parts/failure';
import { useTitle } from '../../parts/use-title';
import { statisticsTexts } from '../../texts/statistics';
import { StatisticsFilters } from './statistics-filters';
import { statisticsParameters, type StatisticsSearch } from './statistics-search';
import {
  endedOf,
  hourBars,
  hoursText,
  outcomeBars,
  shareBars,
  timeBars,
  withEmptyMonths,
  type Bars,
} from './statistics-series';
import { StatisticsTable, TableNote } from './statistics-table';
import { Columns } from '../../parts/columns';
import { Page } from '../../parts/page';

const BarChart = lazy(async () => ({ default: (await import('./bar-chart')).BarChart }));

/** Maximum bars that can be distinguished; months are all drawn. */
const mostBars = 40;

interface Grouped {
  readonly by: StatisticsGrouping;
  readonly groups: readonly StatisticsGroup[];
}

const sumOf = (groups: readonly StatisticsGroup[], figureOf: (group: StatisticsGroup) => number): number =>
  groups.reduce((sum, group) => sum + figureOf(group), 0);

/** Large figures above the plots. */
const Totals = ({ groups }: { readonly groups: readonly StatisticsGroup[] }): ReactElement => {
  const ended = sumOf(groups, endedOf);
  const solved = sumOf(groups, ({ outcomes }) => outcomes.solved);
  const totals = [
    [statisticsTexts.sessions, String(sumOf(groups, ({ sessions }) => sessions))],
    [statisticsTexts.running, String(sumOf(groups, ({ unended }) => unended))],
    [statisticsTexts.solvedShare, ended === 0 ? '–' : `${((100 * solved) / ended).toFixed(0)} %`],
    [statisticsTexts.coreHours, hoursText(sumOf(groups, ({ coreHours }) => coreHours))],
    [statisticsTexts.gpuHours, hoursText(sumOf(groups, ({ gpuHours }) => gpuHours))],
  ] as const;
  return (
    <Columns component="dl" least={130} data-testid="totals">
      {totals.map(([label, value]) => (
        <Paper key={label}>
          <dt className="quiet small">{label}</dt>
          <Box component="dd" fz={24}>
            {value}
          </Box>
        </Paper>
      ))}
    </Columns>
  );
};

const Chart = ({
  title,
  note,
  bars,
  name,
}: {
  readonly title: string;
  readonly note: string;
  readonly bars: Bars;
  readonly name: string;
}): ReactElement => {
  const heading = useId();
  return (
    <Paper component="section" aria-labelledby={heading} data-testid={name}>
      <h2 id={heading}>
        {title} <span className="quiet small">{note}</span>
      </h2>
      {bars.series.length === 0 ? (
        <p className="quiet">{statisticsTexts.nothing}</p>
      ) : (
        <Suspense fallback={<Box mih={280} />}>
          <BarChart bars={bars} sentence={statisticsTexts.chart(title, bars.labels.length)} />
        </Suspense>
      )}
    </Paper>
  );
};

const Charts = ({
  main: { by, groups },
  resolution,
  path,
}: {
  readonly main: Grouped;
  readonly resolution: readonly StatisticsGroup[];
  readonly path: readonly StatisticsGroup[];
}): ReactElement => {
  const drawn = by === 'month' ? withEmptyMonths(groups) : groups.slice(0, mostBars);
  const { shareNote, timeNote, hoursNote } = statisticsTexts;
  return (
    <>
      <Chart
        {...{ name: 'outcomes', title: statisticsTexts.outcomesBy[by], bars: outcomeBars(by, drawn) }}
        note={drawn.length < groups.length ? statisticsTexts.drawn(drawn.length, groups.length) : ''}
      />
      <Columns of="1fr 1fr">
        <Chart
          {...{ name: 'resolution', title: statisticsTexts.byResolution, note: shareNote }}
          bars={shareBars('resolution', resolution)}
        />
        <Chart {...{ name: 'path', title: statisticsTexts.byPath, note: shareNote }} bars={shareBars('path', path)} />
        {(['toFirstRFree', 'toEnd'] as const).map((figure) => (
          <Chart
            key={figure}
            {...{ name: figure, title: statisticsTexts[figure], note: timeNote }}
            bars={timeBars(by, drawn, figure)}
          />
        ))}
        {(['coreHours', 'gpuHours'] as const).map((figure) => (
          <Chart
            key={figure}
            {...{ name: figure, title: statisticsTexts[figure], note: hoursNote }}
            bars={hourBars(by, drawn, figure)}
          />
        ))}
      </Columns>
    </>
  );
};

const Shown = ({ search }: { readonly search: StatisticsSearch }): ReactElement => {
  const parameters = statisticsParameters(search, serverNow());
  const figures = useQuery({
    queryKey: ['statistics', parameters],
    queryFn: async ({ signal }) => {
      const requested = fetchStatistics(parameters, signal);
      const grouped = (by: StatisticsGrouping) =>
        by === parameters.by ? requested : fetchStatistics({ ...parameters, by }, signal);
      const [main, resolution, path] = await Promise.all([requested, grouped('resolution'), grouped('path')]);
      return { main, resolution: resolution.groups, path: path.groups };
    },
    placeholderData: keepPreviousData,
  });
  const { data, error } = figures;
  if (error !== null) return <Failure error={error} onAgain={() => void figures.refetch()} />;
  if (data === undefined) return <Skeleton height={400} />;
  const { by, groups } = data.main;
  if (groups.length === 0)
    return (
      <Paper component="p" p={40} ta="center" c="dimmed">
        {statisticsTexts.none}
      </Paper>
    );
  return (
    <>
      <Totals groups={groups} />
      <Charts {...data} />
      <StatisticsTable by={by} groups={groups} search={search} since={parameters.since} />
      <TableNote count={groups.length} />
    </>
  );
};

const CsvButton = ({ search }: { readonly search: StatisticsSearch }): ReactElement => (
  <DownloadButton size="xs" ml="auto" fetchFile={() => downloadStatistics(statisticsParameters(search, serverNow()))}>
    {statisticsTexts.csv}
  </DownloadButton>
);

/** Outcomes, times and hours of the visible sessions. */
export const StatisticsPage = (): ReactElement => {
  const search = useSearch({ from: '/statistics' });
  const navigate = useNavigate();
  useTitle(statisticsTexts.title);
  return (
    <Page>
      <Group gap="md">
        <h1>{statisticsTexts.title}</h1>
        <p className="quiet small">{statisticsTexts.reach}</p>
        <CsvButton search={search} />
      </Group>
      <StatisticsFilters
        search={search}
        onChange={(changed) => void navigate({ to: '/statistics', search: changed })}
      />
      <Shown search={search} />
    </Page>
  );
};
