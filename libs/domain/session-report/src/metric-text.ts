import type { Metric } from '@fleet/contracts/sessions';
import type { MetricDefinition } from '@fleet/knowledge-model';

/** Definitions of knowledge/metrics.yaml by metric name. */
export type MetricDefinitions = Readonly<Record<string, MetricDefinition>>;

const unitText = (unit: MetricDefinition['unit']): string => {
  if (unit === undefined) return '';
  return unit === '°' ? '°' : ` ${unit}`;
};

/** Label of a metric, or its name if it is unknown. */
export const metricLabel = (name: string, definitions: MetricDefinitions): string => definitions[name]?.label ?? name;

/** A value with its decimals and unit: `0.2455`, `2.10 Å`, `yes`. */
export const metricText = (name: string, value: Metric['value'], definitions: MetricDefinitions): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  const definition = definitions[name];
  return definition === undefined ? String(value) : `${value.toFixed(definition.decimals)}${unitText(definition.unit)}`;
};
