import { Box, Paper } from '@mantine/core';
import { lazy, Suspense, type ReactElement } from 'react';
import type { BatchResult } from '@fleet/contracts/batches';
import { metricLabel, metricText, resolutionOf, type MetricDefinitions } from '@fleet/session-report';
import { batchTexts } from '../../texts/batches';
import { histogram } from './histogram';

const DistributionChart = lazy(async () => ({ default: (await import('./distribution-chart')).DistributionChart }));

const Distribution = ({
  what,
  values,
  textOf,
}: {
  readonly what: string;
  readonly values: readonly number[];
  readonly textOf: (value: number) => string;
}): ReactElement | null => {
  const drawn = histogram(values);
  if (drawn === undefined) return null;
  const numbers = [textOf(drawn.least), textOf(drawn.median), textOf(drawn.most)] as const;
  const summary = batchTexts.distribution(what, values.length, numbers);
  return (
    <Box component="figure" m={0} mb="sm">
      <figcaption className="small">{summary}</figcaption>
      <Suspense fallback={<Box mih={200} />}>
        <DistributionChart histogram={drawn} what={what} summary={summary} />
      </Suspense>
    </Box>
  );
};

/** The most frequent metric. */
const usualMetric = (results: readonly BatchResult[]): string => {
  const counts = new Map<string, number>();
  for (const { session } of results)
    if (session?.fit !== undefined) counts.set(session.fit.metric, (counts.get(session.fit.metric) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0] ?? 'r_free';
};

/** Distributions of fit and resolution. */
export const Distributions = ({
  results,
  definitions,
}: {
  readonly results: readonly BatchResult[];
  readonly definitions: MetricDefinitions;
}): ReactElement => {
  const metric = usualMetric(results);
  const fits = results.flatMap(({ session }) => (session?.fit?.metric === metric ? session.fit.value : []));
  const resolutions = results.flatMap((result) => resolutionOf(result) ?? []);
  return (
    <Paper component="section" data-testid="distributions">
      <h2>{batchTexts.distributions}</h2>
      {fits.length + resolutions.length === 0 && <p className="quiet">{batchTexts.nothingMeasured}</p>}
      <Distribution
        what={metricLabel(metric, definitions)}
        values={fits}
        textOf={(value) => metricText(metric, value, definitions)}
      />
      <Distribution what={batchTexts.resolution} values={resolutions} textOf={(value) => value.toFixed(2)} />
    </Paper>
  );
};
