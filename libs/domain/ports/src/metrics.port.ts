import type { DeclaredLabel, LabelsOf, MetricName, MetricOf } from '@fleet/contracts/metrics';

export const METRICS = Symbol('Metrics');

/** A gauge value with the time of its reading. */
export interface Reading<Name extends MetricName = MetricName> {
  readonly name: Name;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A gauge value, with the labels of its metric. */
export const reading = <Name extends MetricOf<'gauge'>>(
  name: Name,
  labels: LabelsOf<Name>,
  value: number,
): Reading<Name> => ({ name, labels, value });

/** The metrics of a process, for operators. Cheap, and never throws. */
export interface Metrics {
  /** @param by increment; absent: one */
  count<Name extends MetricOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  /** @param value in the unit of the metric */
  observe<Name extends MetricOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /** Called at each scrape; values that it omits are absent from that scrape. A failing reader does not affect the others. */
  onRead(read: () => Promise<readonly Reading[]>): void;
  /** Adds allowed values of this label: a few, and only from the program, the rule book or the site's configuration. */
  declare(label: DeclaredLabel, values: readonly string[]): void;
}

/** For processes without a metrics endpoint. */
export const unmeasured: Metrics = {
  count: () => undefined,
  observe: () => undefined,
  onRead: () => undefined,
  declare: () => undefined,
};
