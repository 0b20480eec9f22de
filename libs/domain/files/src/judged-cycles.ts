import { metricValue, type CycleRecord, type Metric } from '@fleet/contracts/sessions';
import type { BestFileScoring, JudgedRule } from '@fleet/knowledge-model';
import type { CategorisedFiles } from './categorise';

interface Analysed {
  readonly cycle: CycleRecord;
  readonly result: NonNullable<CycleRecord['result']>;
}

const analysed = (cycle: CycleRecord): Analysed | undefined =>
  cycle.result?.outcome === 'success' ? { cycle, result: cycle.result } : undefined;

const flatters = ({ decision }: CycleRecord, rule: JudgedRule, flattering: ReadonlySet<string>): boolean =>
  rule.programs.includes(decision.program) &&
  decision.inputs.some(({ slot, path }) => slot === rule.slot && flattering.has(path));

/** A cycle that has measured another one's model against an unbiased map, and the metric. */
interface Judgement<T> {
  readonly cycle: T;
  readonly metric: Metric;
}

const judgement = <T extends CycleRecord>(
  cycle: T,
  rule: JudgedRule,
  flattering: ReadonlySet<string>,
): readonly Judgement<T>[] => {
  const name = rule.by.find(({ program }) => program === cycle.decision.program)?.metric;
  const isFair = !cycle.decision.inputs.some(({ path }) => flattering.has(path));
  const metric = isFair ? analysed(cycle)?.result.metrics.find((one) => one.name === name) : undefined;
  return metric === undefined ? [] : [{ cycle, metric }];
};

/** The first judgement of the outputs of a cycle. */
const judgeOf = <T extends CycleRecord>(
  refined: T,
  later: readonly T[],
  rule: JudgedRule,
  flattering: ReadonlySet<string>,
): Judgement<T> | undefined => {
  const made = new Set(refined.result?.outputs.map(({ path }) => path));
  const looks = later.filter(({ decision }) => decision.inputs.some(({ path }) => made.has(path)));
  return looks.flatMap((cycle) => judgement(cycle, rule, flattering))[0];
};

const withMetric = <T extends CycleRecord>(cycle: T, name: string, metric: Metric): T => {
  const { result } = cycle;
  if (result === undefined) return cycle;
  const others = result.metrics.filter((one) => one.name !== name);
  return { ...cycle, result: { ...result, metrics: [...others, { ...metric, name }] } };
};

export interface JudgedCycles<T extends CycleRecord> {
  /** With the unbiased value instead of the inflated one, if there is one. */
  readonly cycles: readonly T[];
  /** The last of the runs was only measured against the map that it was refined against. */
  readonly isUnjudged: boolean;
  /** The cycle whose value counts for the last of the runs: its judge, or itself. */
  readonly counts?: T;
  /** Cycles whose own value of the metric is inflated. */
  readonly flattered: ReadonlySet<number>;
}

/** Cycles with unbiased values: see knowledge/metrics.yaml, `judged`. */
export const judgedCycles = <T extends CycleRecord>(
  cycles: readonly T[],
  categorised: CategorisedFiles,
  scoring: Readonly<Record<string, BestFileScoring>>,
): JudgedCycles<T> => {
  const rule = scoring['model']?.judged;
  const flattering = new Set((categorised.get(rule?.flattering ?? '') ?? []).map(({ path }) => path));
  if (rule === undefined) return { cycles, isUnjudged: false, flattered: new Set() };
  const flattered = new Set<number>();
  let isUnjudged = false;
  let counts: T | undefined;
  const judged = cycles.map((cycle, index): T => {
    const own = analysed(cycle);
    if (own === undefined || !rule.programs.includes(cycle.decision.program)) return cycle;
    counts = cycle;
    isUnjudged = flatters(cycle, rule, flattering) && metricValue(own.result, rule.metric) !== undefined;
    if (!isUnjudged) return cycle;
    flattered.add(cycle.cycle);
    const judge = judgeOf(cycle, cycles.slice(index + 1), rule, flattering);
    if (judge === undefined) return cycle;
    isUnjudged = false;
    counts = judge.cycle;
    return withMetric(cycle, rule.metric, judge.metric);
  });
  return { cycles: judged, isUnjudged, flattered, ...(counts === undefined ? {} : { counts }) };
};
