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

/** What an assessment goes by. */
export interface AssessmentFacts {
  readonly experiment: ExperimentType;
  /** What is asked for, in the submitter's words. */
  readonly advice: string;
  /** What the numbers of this session are held against, one line a metric. */
  readonly thresholds: readonly string[];
  /** Every number of the session that an assessment may name: metrics and how they changed from one to the next and in all, cycles, counts, settings, thresholds. */
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

/** How much a metric changed from one measurement to the next, and from the first to the last, both ways. */
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

/** R-free less R-work, as one cycle measured both. */
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

/** Those of this resolution, for what was measured. */
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

/** From the record alone. */
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
