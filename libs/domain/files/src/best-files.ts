import type { CycleRecord, SessionFile } from '@fleet/contracts/sessions';
import type { BestFileScoring } from '@fleet/knowledge-model';
import type { CategorisedFiles } from './categorise';
import { inOrder } from './file-order';
import { groupBy } from './group-by';
import { geometryFaults, type GeometryFault, type GeometryRules } from './geometry-faults';
import { judgedCycles } from './judged-cycles';
import { lineageOf, type Lineage } from './lineage';
import { notWorseThan, submittedValue, type SubmittedValue } from './submitted-model';

/** Points with their source. */
interface ScorePart {
  readonly name: string;
  readonly points: number;
}

export interface ScoredFile {
  readonly file: SessionFile;
  readonly score: number;
  /** Sub-category that gave the stage points. */
  readonly stage: string;
  /** Parts of the score, for the `file_scored` event: the stage first, then each metric. */
  readonly parts: readonly ScorePart[];
}

export interface BestFilesInput {
  readonly categorised: CategorisedFiles;
  readonly cycles: readonly CycleRecord[];
  /** knowledge/metrics.yaml, `best_files`: scoring by category. */
  readonly scoring: Readonly<Record<string, BestFileScoring>>;
  readonly rules: GeometryRules;
}

export interface RankedCategories {
  readonly best: ReadonlyMap<string, ScoredFile>;
  /** By category, the first one first. */
  readonly ranked: ReadonlyMap<string, readonly ScoredFile[]>;
}

interface Scorer {
  readonly lineage: Lineage;
  readonly scoring: BestFileScoring;
  /** The sub-categories that give stage points, the best first, with their files. */
  readonly stages: readonly (ScorePart & { readonly files: ReadonlySet<SessionFile> })[];
  readonly category: string;
  /** Bad geometry of a model. */
  faultsOf(file: SessionFile): readonly GeometryFault[];
  stageOf(file: SessionFile): ScorePart;
}

/**
 * A metric that was not measured for a model (R-free of a merged one, the clashscore of one that was refined after a validation) is that of
 * its nearest measured ancestor, until one of its descendants is measured: after that the ancestor's value no longer applies.
 */
const metricOf = (file: SessionFile, metric: string, { lineage }: Scorer): number | undefined => {
  const own = lineage.measured(file, metric);
  if (own !== undefined || lineage.hasMeasuredChild(file, metric)) return own;
  return lineage.measuredAncestor(file, metric);
};

const codesOf = ({ facts: { model } }: SessionFile): readonly string[] => model?.ligandCodes ?? [];

const keepsLigands = (file: SessionFile, codes: readonly string[]): boolean => {
  const ownCodes = codesOf(file);
  return codes.length > 0 && codes.every((code) => ownCodes.includes(code));
};

const better = (one: ScorePart, other: ScorePart): ScorePart => (other.points > one.points ? other : one);

/** The best stage among the inputs of one cycle, for each set of ligands that they contain. */
interface InheritedStage {
  readonly codes: readonly string[];
  readonly stage: ScorePart;
}

/**
 * A refined model keeps the stage of the model it was made from while it still contains that model's ligands. Each file is evaluated once,
 * the oldest first, and each cycle's inputs once, whatever the number of paths and files.
 */
const stagesOf = (
  files: readonly SessionFile[],
  scorer: Pick<Scorer, 'lineage' | 'stages' | 'category'>,
): Scorer['stageOf'] => {
  const { lineage, stages, category } = scorer;
  const known = new Map<SessionFile, ScorePart>();
  const ownOf = (file: SessionFile): ScorePart =>
    stages.find((stage) => stage.files.has(file)) ?? { name: category, points: 0 };
  const inheritedBy = (parents: readonly SessionFile[], cycle: number): readonly InheritedStage[] => {
    const best = new Map<string, InheritedStage>();
    for (const parent of parents.filter((one) => one.cycle < cycle)) {
      const codes = codesOf(parent);
      const key = codes.join(' ');
      const stage = known.get(parent) ?? ownOf(parent);
      best.set(key, { codes, stage: better(best.get(key)?.stage ?? stage, stage) });
    }
    return [...best.values()];
  };
  for (const [cycle, members] of [...groupBy(files, (file) => file.cycle)].sort(([one], [other]) => one - other)) {
    const [first] = members;
    const inherited = first === undefined ? [] : inheritedBy(lineage.parents(first), cycle);
    for (const file of members) {
      const withLigands = inherited.filter(({ codes }) => keepsLigands(file, codes));
      known.set(file, withLigands.map(({ stage }) => stage).reduce(better, ownOf(file)));
    }
  }
  return (file) => known.get(file) ?? ownOf(file);
};

type ScoredMetric = BestFileScoring['metrics'][number];

const share = (value: number, { worst, best }: ScoredMetric): number => (value - worst) / (best - worst);

/** All points at `best`, none at `worst`, linear between, never outside. */
const metricPoints = (value: number, rule: ScoredMetric): number =>
  rule.points * Math.min(1, Math.max(0, share(value, rule)));

/**
 * Points below the scale for a geometry that refinement has made worse, so that no fit compensates it. Without an initial value none: otherwise a
 * model that was never validated would come before the validated one.
 */
const beyondScale = (file: SessionFile, scorer: Scorer): number => {
  const worse = new Set(scorer.faultsOf(file).flatMap(({ metric, start }) => (start === undefined ? [] : [metric])));
  const bestFit = Math.max(...scorer.scoring.metrics.map(({ points }) => points));
  return scorer.scoring.metrics
    .filter(({ metric }) => worse.has(metric))
    .reduce((sum, rule) => {
      const value = metricOf(file, rule.metric, scorer);
      return value === undefined ? sum : sum + bestFit * Math.min(0, share(value, rule));
    }, 0);
};

const scoreFile = (file: SessionFile, scorer: Scorer): ScoredFile => {
  const { name, points } = scorer.stageOf(file);
  const metrics = scorer.scoring.metrics.flatMap((rule) => {
    const value = metricOf(file, rule.metric, scorer);
    return value === undefined ? [] : [{ name: rule.metric, points: metricPoints(value, rule) }];
  });
  const gained = metrics.reduce((sum, part) => sum + part.points, 0);
  // At most one point below its stage: a model of an earlier stage is not better.
  const lost = Math.max(beyondScale(file, scorer), -gained - 1);
  const parts = [{ name, points }, ...metrics, ...(lost < 0 ? [{ name: 'geometry', points: lost }] : [])];
  return { file, stage: name, parts, score: points + gained + lost };
};

const scorerOf = (
  category: string,
  files: readonly SessionFile[],
  scoring: BestFileScoring,
  input: BestFilesInput,
): Scorer => {
  // A half map is also a map: the general category applies only to files without a more specific one.
  const isWhole = ({ name }: ScorePart): number => Number(name === category);
  const stages = Object.entries(scoring.stages)
    .map(([name, points]) => ({ name, points, files: new Set(input.categorised.get(name)) }))
    .sort((one, other) => isWhole(one) - isWhole(other) || other.points - one.points);
  const lineage = lineageOf(files, input.cycles);
  const faultsOf = category === 'model' ? geometryFaults({ lineage, cycles: input.cycles }, input.rules) : () => [];
  const scorer = { category, scoring, stages, faultsOf, lineage };
  return { ...scorer, stageOf: stagesOf(files, scorer) };
};

/**
 * If scores are equal, the better fit comes first, because points are limited to a range (R-free 0.157 and 0.186 have the same). The fit is
 * the first metric of the scoring that either file has.
 */
const byFit = (one: SessionFile, other: SessionFile, scorer: Scorer): number => {
  for (const rule of scorer.scoring.metrics) {
    const [first, second] = [metricOf(one, rule.metric, scorer), metricOf(other, rule.metric, scorer)];
    if (first !== undefined && second !== undefined) return (rule.best < rule.worst ? 1 : -1) * (first - second);
    if (first !== second) return first === undefined ? 1 : -1;
  }
  return 0;
};

const rank = (files: readonly SessionFile[], scorer: Scorer): readonly ScoredFile[] =>
  inOrder(files)
    .map((file) => scoreFile(file, scorer))
    .toSorted((one, other) => other.score - one.score || byFit(one.file, other.file, scorer));

/** The files of a category in the order of their scores, and the best one, which need not be the first. */
interface RankedFiles {
  readonly ranked: readonly ScoredFile[];
  readonly best: ScoredFile | undefined;
}

const noFiles: RankedFiles = { ranked: [], best: undefined };

const rankedOf = (category: string, scoring: BestFileScoring, input: BestFilesInput): RankedFiles => {
  const files = input.categorised.get(category);
  if (files === undefined) return noFiles;
  const scorer = scorerOf(category, files, scoring, input);
  const ranked = rank(files, scorer);
  const submitted = submittedValue(files, input.cycles, scoring);
  if (submitted === undefined) return { ranked, best: ranked[0] };
  const valueOf = (file: SessionFile): number | undefined => metricOf(file, scoring.submitted?.metric ?? '', scorer);
  return { ranked, best: notWorseThan(submitted, ranked, valueOf, scoring) };
};

/** The submitted model with the best initial fit, if that is known and meaningful; see knowledge/metrics.yaml, `submitted`. */
export const submittedModel = ({
  categorised,
  cycles,
  scoring,
}: Omit<BestFilesInput, 'rules'>): SubmittedValue | undefined =>
  submittedValue(categorised.get('model') ?? [], cycles, scoring['model']);

/**
 * The best file of each category with a scoring and files (phenix-agent.md#best-files); maps are those of the best model's own cycle, if it
 * made any. A submitted model stays the best until another one is measured to fit better. Also returns all files of each category with their
 * scores, best first; if scores are equal, the better fit comes first, then the order of `inOrder`.
 */
export const rankFiles = (given: BestFilesInput): RankedCategories => {
  const input = { ...given, ...judgedCycles(given.cycles, given.categorised, given.scoring) };
  const ranked = new Map<string, readonly ScoredFile[]>();
  const best = new Map<string, ScoredFile>();
  for (const [category, scoring] of Object.entries(input.scoring)) {
    const found = rankedOf(category, scoring, input);
    ranked.set(category, found.ranked);
    if (found.best !== undefined) best.set(category, found.best);
  }
  for (const [category, { goes_with }] of Object.entries(input.scoring)) {
    const cycle = best.get(goes_with ?? '')?.file.cycle ?? 0;
    const companion = cycle > 0 ? ranked.get(category)?.find(({ file }) => file.cycle === cycle) : undefined;
    if (companion !== undefined) best.set(category, companion);
  }
  return { best, ranked };
};

/** The best file of each category alone. */
export const bestFiles = (input: BestFilesInput): ReadonlyMap<string, ScoredFile> => rankFiles(input).best;
