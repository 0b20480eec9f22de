import { bandAt } from '@fleet/contracts/results';
import {
  adviceInForce,
  type CycleRecord,
  type ExperimentType,
  type Metric,
  type Session,
} from '@fleet/contracts/sessions';
import { succeededCycles } from '@fleet/files';
import type { QualityBand, RuleBook } from '@fleet/knowledge-model';
import { experimentOf, metricLabel } from '@fleet/session-report';
import { resolutionOf } from './summary-facts';

/** The input of an assessment. */
export interface AssessmentFacts {
  readonly experiment: ExperimentType;
  /** The submitter's advice. */
  readonly advice: string;
  /** Thresholds for the metrics of this session, one line per metric. */
  readonly thresholds: readonly string[];
  /**
   * Every number of the session that an assessment may contain: metrics with their consecutive and total changes, cycles, counts, settings,
   * thresholds.
   */
  readonly numbers: ReadonlySet<number>;
}

const numbersIn = (value: Metric['value']): readonly number[] => {
  if (typeof value === 'number') return [value];
  return typeof value === 'string' ? (value.match(/\d+(?:\.\d+)?/g) ?? []).map(Number) : [];
};

const numbersOfCycle = ({ cycle, attempts, result }: CycleRecord): readonly number[] => {
  const { fit, ligand, metrics = [] } = result ?? {};
  const beside = [
    fit?.value,
    fit?.rWork,
    fit?.resolution,
    ligand?.cc,
    ligand?.atoms,
    ligand?.atomsInDensity,
    ligand?.omitCc,
  ];
  return [
    cycle,
    attempts.length,
    ...metrics.flatMap(({ value }) => numbersIn(value)),
    ...beside.flatMap((one) => one ?? []),
  ];
};

/** Consecutive and total changes of a metric, with both signs. */
const changesOf = (values: readonly number[]): readonly number[] =>
  values
    .map((value, at) => value - (values[at - 1] ?? value))
    .concat((values.at(-1) ?? 0) - (values[0] ?? 0))
    .filter((change) => change !== 0)
    .flatMap((change) => [change, -change]);

const numbersNamed = (cycles: readonly CycleRecord[], name: string): readonly number[] =>
  cycles
    .flatMap(({ result }) => (result?.metrics ?? []).filter((metric) => metric.name === name))
    .flatMap(({ value }) => (typeof value === 'number' ? [value] : []));

/** R-free minus R-work of the same cycle. */
const gaps = (cycles: readonly CycleRecord[]): readonly number[] =>
  cycles.flatMap((cycle) => {
    const [free, work] = [numbersNamed([cycle], 'r_free')[0], numbersNamed([cycle], 'r_work')[0]];
    return free === undefined || work === undefined ? [] : [free - work];
  });

const namesOf = (cycles: readonly CycleRecord[]): readonly string[] => [
  ...new Set(cycles.flatMap(({ result }) => (result?.metrics ?? []).map(({ name }) => name))),
];

const counts = (session: Session): readonly number[] => {
  const { cycles, cycle } = session;
  const failed = cycles.filter(({ result }) => result?.outcome === 'failed').length;
  return [cycle, cycles.length, succeededCycles(session).length, failed];
};

interface Threshold {
  readonly name: string;
  readonly band: QualityBand;
}

/** Thresholds at this resolution for the measured metrics. */
const thresholdsOf = (
  { cycles }: Session,
  resolution: number | undefined,
  { metrics }: RuleBook,
): readonly Threshold[] =>
  namesOf(cycles).flatMap((name) => {
    const band = bandAt(metrics[name]?.bands ?? [], resolution);
    return band === undefined ? [] : [{ name, band }];
  });

const thresholdLine = ({ name, band }: Threshold, { metrics }: RuleBook): string =>
  `${metricLabel(name, metrics)}: good from ${band.good}, acceptable from ${band.acceptable}, poor from ${band.poor}; ${metrics[name]?.better ?? 'neither'} is better`;

/** Only from the record. */
export const assessmentFacts = (session: Session, ruleBook: RuleBook): AssessmentFacts => {
  const { cycles, request } = session;
  const resolution = resolutionOf(session, ruleBook.programs);
  const thresholds = thresholdsOf(session, resolution, ruleBook);
  const settings = Object.values(request.settings).filter((value) => typeof value === 'number');
  return {
    experiment: experimentOf(session),
    advice: adviceInForce(session),
    thresholds: thresholds.map((one) => thresholdLine(one, ruleBook)),
    numbers: new Set([
      ...(resolution === undefined ? [] : [resolution]),
      ...settings,
      ...counts(session),
      ...cycles.flatMap(numbersOfCycle),
      ...namesOf(cycles).flatMap((name) => changesOf(numbersNamed(cycles, name))),
      ...gaps(cycles),
      ...thresholds.flatMap(({ band: { good, acceptable, poor } }) => [good, acceptable, poor]),
    ]),
  };
};
