import { metricValue, type CycleRecord, type SessionFile } from '@fleet/contracts/sessions';
import type { BestFileScoring, SubmittedRule } from '@fleet/knowledge-model';
import { groupBy } from './group-by';
import { succeededCycles, type SucceededCycle } from './session-files';

/** The initial fit of a submitted model. */
export interface SubmittedValue {
  readonly file: SessionFile;
  readonly value: number;
  /** The accompanying metric (R-work), of the same run. */
  readonly beside?: number;
  /** The cycle that measured it. */
  readonly cycle: number;
  /** From the start of a refinement, not from a validation. */
  readonly atStart: boolean;
}

/** If the free set was generated here, the author of the model had refined against these reflections. */
const drewFreeSet = ({ decision: { argv } }: SucceededCycle, { not_with }: SubmittedRule): boolean =>
  argv.some((token) => token.toLowerCase() === not_with.toLowerCase());

const isIndependent = (value: number, beside: number | undefined, { least_gap }: SubmittedRule): boolean =>
  beside === undefined || value - beside >= least_gap;

const measuredIn = (
  file: SessionFile,
  cycle: SucceededCycle,
  rule: SubmittedRule,
  atStart: boolean,
): SubmittedValue | undefined => {
  const value = metricValue(cycle.result, atStart ? rule.at_start : rule.metric);
  const beside = metricValue(cycle.result, atStart ? rule.beside_at_start : rule.beside);
  if (value === undefined || drewFreeSet(cycle, rule) || !isIndependent(value, beside, rule)) return undefined;
  return { file, value, cycle: cycle.cycle, atStart, ...(beside === undefined ? {} : { beside }) };
};

/** The cycles that used each file, by its path. */
const usesByPath = (cycles: readonly SucceededCycle[]): ((path: string) => readonly SucceededCycle[]) => {
  const uses = groupBy(
    cycles.flatMap((cycle) =>
      [...new Set(cycle.decision.inputs.map(({ path }) => path))].map((path) => ({ path, cycle })),
    ),
    ({ path }) => path,
  );
  return (path) => (uses.get(path) ?? []).map(({ cycle }) => cycle);
};

/**
 * The initial fit of a submitted model: from the start of its first refinement (the same program and data as its result), otherwise from a
 * program that wrote no model of it.
 * @param uses cycles that used it
 * @param makers cycles that made a model
 */
const valueOf = (
  file: SessionFile,
  uses: readonly SucceededCycle[],
  makers: ReadonlySet<number>,
  rule: SubmittedRule,
): SubmittedValue | undefined => {
  const starts = uses.filter(
    ({ cycle, result }) => makers.has(cycle) && metricValue(result, rule.at_start) !== undefined,
  );
  const [first] = starts;
  if (first !== undefined) return measuredIn(file, first, rule, true);
  const drawn = uses.some((cycle) => drewFreeSet(cycle, rule));
  const looks = drawn ? [] : uses.filter(({ cycle }) => !makers.has(cycle));
  return looks.map((cycle) => measuredIn(file, cycle, rule, false)).find((found) => found !== undefined);
};

/** Which of two values is better according to the scoring. */
const signOf = (scoring: BestFileScoring, metric: string): 1 | -1 => {
  const rule = scoring.metrics.find((one) => one.metric === metric);
  return rule !== undefined && rule.best > rule.worst ? -1 : 1;
};

/** The submitted model with the best initial fit, if it can be compared with its descendants. */
export const submittedValue = (
  members: readonly SessionFile[],
  cycles: readonly CycleRecord[],
  scoring: BestFileScoring | undefined,
): SubmittedValue | undefined => {
  const rule = scoring?.submitted;
  if (scoring === undefined || rule === undefined) return undefined;
  const usesOf = usesByPath(succeededCycles({ cycles }));
  const makers = new Set(members.map(({ cycle }) => cycle));
  const sign = signOf(scoring, rule.metric);
  return members
    .filter(({ cycle }) => cycle === 0)
    .flatMap((file) => valueOf(file, usesOf(file.path), makers, rule) ?? [])
    .sort((one, other) => sign * (one.value - other.value))[0];
};

const holdsMore = (file: SessionFile, submitted: SessionFile): boolean => {
  const own = submitted.facts.model?.ligandCodes ?? [];
  return (file.facts.model?.ligandCodes ?? []).some((code) => !own.includes(code));
};

/**
 * The first of files in score order that is not known to be worse than the submitted model; if all are, that model. Models with a ligand that
 * the submitted one lacks are not compared.
 */
export const notWorseThan = <T extends { readonly file: SessionFile }>(
  submitted: SubmittedValue,
  ranked: readonly T[],
  valueOfFile: (file: SessionFile) => number | undefined,
  scoring: BestFileScoring,
): T | undefined => {
  const sign = signOf(scoring, scoring.submitted?.metric ?? '');
  const isWorse = (file: SessionFile): boolean | undefined => {
    const value = valueOfFile(file);
    return value === undefined ? undefined : sign * (value - submitted.value) > 0;
  };
  const [first] = ranked;
  if (first === undefined || isWorse(first.file) !== true || holdsMore(first.file, submitted.file)) return first;
  return (
    ranked.find(({ file }) => file.cycle > 0 && isWorse(file) === false) ??
    ranked.find(({ file }) => file.path === submitted.file.path) ??
    first
  );
};
