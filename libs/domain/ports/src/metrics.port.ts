import type { DeclaredLabel, LabelsOf, MetricName, MetricOf } from '@fleet/contracts/metrics';

export const METRICS = Symbol('Metrics');

/** One figure, when it was read. */
export interface Reading<Name extends MetricName = MetricName> {
  readonly name: Name;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A figure, with the labels of its metric. */
export const reading = <Name extends MetricOf<'gauge'>>(
  name: Name,
  labels: LabelsOf<Name>,
  value: number,
): Reading<Name> => ({ name, labels, value });

/** What a process tells of itself to whoever runs the service. Costs next to nothing, and never throws. */
export interface Metrics {
  /** @param by how many more; absent: one */
  count<Name extends MetricOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  /** @param value in the unit of the metric */
  observe<Name extends MetricOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /** Asked each time that somebody reads the metrics; what it does not tell is absent then. One that fails keeps no other from being read. */
  onRead(read: () => Promise<readonly Reading[]>): void;
  /** Values that this label may have besides those of before: a few, and from the program, the rule book or the site's configuration. */
  declare(label: DeclaredLabel, values: readonly string[]): void;
}

/** Where nobody reads them. */
export const unmeasured: Metrics = {
  count: () => undefined,
  observe: () => undefined,
  onRead: () => undefined,
  declare: () => undefined,
};
