import {
  declaredLabels,
  describedMetrics,
  metricCatalogue,
  otherValue,
  type DeclaredLabel,
  type LabelsOf,
  type LabelValues,
  type MetricName,
  type MetricOf,
} from '@fleet/contracts/metrics';
import type { Metrics, Reading } from '@fleet/ports';
import { Injectable, Logger } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { setTimeout as sleep } from 'node:timers/promises';

/** Timeout of one source of metrics, in milliseconds: a scraper waits 10 s by default. */
const readingMs = 4_000;

type Instrument = Counter | Gauge | Histogram;
type Values = Readonly<Record<string, string>>;

/** The metrics of this process, and the page that Prometheus reads. */
@Injectable()
export class ProcessMetrics implements Metrics {
  private readonly logger = new Logger(ProcessMetrics.name);
  private readonly registry = new Registry();
  private readonly instruments = new Map<MetricName, Instrument>();
  private readonly words = new Map<MetricName, readonly (readonly [string, (value: string) => boolean])[]>();
  private readonly declared: Readonly<Record<DeclaredLabel, Set<string>>>;
  private readonly sources: (() => Promise<readonly Reading[]>)[] = [];
  private inProgress: Promise<string> | undefined;

  constructor() {
    this.declared = { route: new Set([noValue]), group: new Set(), program: new Set(), target: new Set() };
    for (const [name, { labels }] of describedMetrics())
      this.words.set(
        name,
        Object.entries(labels).map(([label, values]) => [label, this.judgeOf(label, values)] as const),
      );
  }

  /** Adds processor, memory, event loop and garbage collection of this process; once, if the metrics are served. */
  withProcess(): void {
    collectDefaultMetrics({ register: this.registry });
    this.count('phenix_fleet_collection_errors_total', {}, 0);
  }

  count<Name extends MetricOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by = 1): void {
    const counter = this.instrument(name);
    if (!(counter instanceof Counter)) throw new TypeError(`${name} is no counter`);
    counter.inc(this.known(name, labels), by);
  }

  observe<Name extends MetricOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, value: number): void {
    (this.instrument(name) as Histogram).observe(this.known(name, labels), value);
  }

  onRead(read: () => Promise<readonly Reading[]>): void {
    this.sources.push(read);
  }

  declare(label: DeclaredLabel, values: readonly string[]): void {
    for (const value of values) this.declared[label].add(value);
  }

  readonly contentType = this.registry.contentType;

  /** The page in Prometheus' text format; concurrent requests share it. */
  page(): Promise<string> {
    this.inProgress ??= this.read().finally(() => {
      this.inProgress = undefined;
    });
    return this.inProgress;
  }

  private async read(): Promise<string> {
    const found = await Promise.all(this.sources.map((source) => this.ask(source)));
    // Values that are no longer reported are no longer shown.
    for (const instrument of this.instruments.values()) if (instrument instanceof Gauge) forget(instrument);
    for (const { name, labels, value } of found.flat())
      (this.instrument(name) as Gauge).set(this.known(name, labels), value);
    return this.registry.metrics();
  }

  private async ask(source: () => Promise<readonly Reading[]>): Promise<readonly Reading[]> {
    const over = new AbortController();
    const late = sleep(readingMs, undefined, { signal: over.signal }).then(() => {
      throw new Error(`no answer within ${String(readingMs)} ms`);
    });
    try {
      return await Promise.race([source(), late]);
    } catch (error) {
      this.count('phenix_fleet_collection_errors_total', {});
      this.logger.warn({ message: 'metrics could not be read', reason: String(error) });
      return [];
    } finally {
      over.abort();
    }
  }

  /** Created on first use: a process shows what it measures. */
  private instrument(name: MetricName): Instrument {
    const known = this.instruments.get(name);
    if (known !== undefined) return known;
    const made = instrumentOf(name, this.registry);
    this.instruments.set(name, made);
    return made;
  }

  private judgeOf(label: string, values: LabelValues): (value: string) => boolean {
    if (values === 'status') return (value) => value === noValue || /^[1-5]\d\d$/.test(value);
    if (values === 'declared') {
      const declared = declaredLabels.find((one) => one === label);
      if (declared === undefined) throw new Error(`no process can declare values of the label ${label}`);
      return (value) => this.declared[declared].has(value);
    }
    const words = new Set(values);
    return (value) => words.has(value);
  }

  private known(name: MetricName, labels: Values): Values {
    const known: Record<string, string> = {};
    for (const [label, isKnown] of this.words.get(name) ?? []) {
      const value = labels[label] ?? otherValue;
      known[label] = isKnown(value) ? value : otherValue;
    }
    return known;
  }
}

/** A gauge without labels would be 0 after `reset`. */
const forget = (gauge: Gauge): void => {
  gauge.reset();
  gauge.remove({});
};

/** Label value for an unknown route or a call without response. */
const noValue = 'none';

const instrumentOf = (name: MetricName, registry: Registry): Instrument => {
  const { type, what, labels, ...more } = metricCatalogue[name];
  const settings = { name, help: what, labelNames: Object.keys(labels), registers: [registry] };
  switch (type) {
    case 'counter':
      return new Counter(settings);
    case 'gauge':
      return new Gauge(settings);
    case 'histogram':
      return new Histogram({ ...settings, ...('buckets' in more && { buckets: [...more.buckets] }) });
  }
};
