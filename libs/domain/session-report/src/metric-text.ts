import { choice, flag, list, mapOf, number, record, text, type Described, type Metric } from '@fleet/contracts';
import type { MetricDefinition } from '@fleet/knowledge-model';

/** Definitions of knowledge/metrics.yaml by metric name. */
export type MetricDefinitions = Readonly<Record<string, MetricDefinition>>;

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

/** How metrics are named, printed and judged, as the gateway tells it. */
export const metricsViewSchema = record({
  metrics: mapOf(metricDefinitionSchema, 'by name'),
});
export type MetricsView = Described<typeof metricsViewSchema>;

const unitText = (unit: MetricDefinition['unit']): string => {
  if (unit === undefined) return '';
  return unit === '°' ? '°' : ` ${unit}`;
};

/** Label of a metric, or its name where nothing is known about it. */
export const metricLabel = (name: string, definitions: MetricDefinitions): string => definitions[name]?.label ?? name;

/** A value with its decimals and unit: `0.2455`, `2.10 Å`, `yes`. */
export const metricText = (name: string, value: Metric['value'], definitions: MetricDefinitions): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  const definition = definitions[name];
  return definition === undefined ? String(value) : `${value.toFixed(definition.decimals)}${unitText(definition.unit)}`;
};
