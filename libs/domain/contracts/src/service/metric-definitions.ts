import { choice, flag, list, mapOf, number, record, text, type Described } from '../schema/schema';

const bandSchema = record(
  { good: number(), acceptable: number(), poor: number() },
  {
    at: number(
      'Å; limits are interpolated linearly and constant beyond the ends; absent: the same at every resolution',
    ),
  },
);

const metricDefinitionSchema = record(
  {
    label: text(),
    better: choice(['lower', 'higher', 'neither']),
    decimals: number(),
    why: text(),
  },
  {
    unit: choice(['Å', '%', 'Å²', '°']),
    significant: number('a smaller change counts as none'),
    of_map: flag("a correlation with the program's own map; always show the program with it"),
    bands: list(bandSchema),
  },
);

/** Names, formats and limits of metrics, as the API returns them. */
export const metricsViewSchema = record('MetricDefinitions', {
  metrics: mapOf(metricDefinitionSchema, 'by name'),
});
export type MetricsView = Described<typeof metricsViewSchema>;
