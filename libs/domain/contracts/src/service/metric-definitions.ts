import { choice, flag, list, mapOf, number, record, text, type Described } from '../schema/schema';

const bandSchema = record(
  { good: number(), acceptable: number(), poor: number() },
  {
    at: number(
      'Å; between two the limits are linear, beyond the ends constant; absent where they hold at every resolution',
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
    significant: number('a change smaller than this is none'),
    of_map: flag('a correlation with the map of its program, which has to be named with it'),
    bands: list(bandSchema),
  },
);

/** Names, formats and limits of metrics, as the API returns them. */
export const metricsViewSchema = record('MetricDefinitions', {
  metrics: mapOf(metricDefinitionSchema, 'by name'),
});
export type MetricsView = Described<typeof metricsViewSchema>;
