import { Box, Paper } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, type ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts/sessions';
import { metricText, rowOf, type MetricDefinitions } from '@fleet/session-report';
import { fitSeries } from '../../format/fit-series';
import { sessionTexts } from '../../texts/session';
import { scrollToCycle } from './cycle-link';

const FitChart = lazy(async () => ({ default: (await import('./fit-chart')).FitChart }));

/** The fit by cycle, with its target. */
export const FitPanel = ({
  session,
  definitions,
}: {
  readonly session: SessionView;
  readonly definitions: MetricDefinitions;
}): ReactElement => {
  const navigate = useNavigate();
  const goTo = (cycle: number): void => {
    const search = { cycle: String(cycle) };
    void navigate({ to: '/sessions/$id', params: { id: session.id }, search, resetScroll: false });
    scrollToCycle(cycle);
  };
  const { settings } = session.request;
  const series = fitSeries(session.cycles, { settings, resolution: rowOf(session).resolution, definitions });
  const [metric] = series?.metrics ?? [];
  return (
    <Paper component="section">
      <h2>
        {sessionTexts.chart}
        {series?.target !== undefined && metric !== undefined && (
          <span className="quiet small">
            {' '}
            {sessionTexts.target(metricText(metric.name, series.target, definitions))}
          </span>
        )}
      </h2>
      {series === undefined ? (
        <p className="quiet">{sessionTexts.noChart}</p>
      ) : (
        <Suspense fallback={<Box mih={250} />}>
          <FitChart series={series} definitions={definitions} onCycle={goTo} />
        </Suspense>
      )}
    </Paper>
  );
};
