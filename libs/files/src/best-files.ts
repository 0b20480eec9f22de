import type { CycleRecord, SessionFile } from '@fleet/contracts';
import type { BestFileScoring } from '@fleet/knowledge-model';
import type { CategorisedFiles } from './categorise';
import { newestFirst } from './file-order';
import { lineageOf, type Lineage } from './lineage';

/** Points with the name of what gave them. */
export interface ScorePart {
  readonly name: string;
  readonly points: number;
}

export interface ScoredFile {
  readonly file: SessionFile;
  readonly score: number;
  /** Sub-category that gave the stage points. */
  readonly stage: string;
  /** What the score is made of, for the `file_scored` event: the stage first, then each metric. */
  readonly parts: readonly ScorePart[];
}

export interface BestFilesInput {
  readonly categorised: CategorisedFiles;
  readonly cycles: readonly CycleRecord[];
  /** knowledge/metrics.yaml, `best_files`: scoring by category. */
  readonly scoring: Readonly<Record<string, BestFileScoring>>;
}

interface Scorer {
  readonly lineage: Lineage;
  readonly scoring: BestFileScoring;
  /** The sub-categories that give stage points, the best first, with their files. */
  readonly stages: readonly (ScorePart & { readonly files: ReadonlySet<SessionFile> })[];
  readonly category: string;
}

/** Stays true while nothing made from this file was measured: after that its parents' value no longer speaks for it. */
const isNewest = (file: SessionFile, metric: string, { lineage }: Scorer): boolean =>
  lineage.children(file).every((child) => lineage.measured(child, metric) === undefined);

/** A merged model (pdbtools) measures nothing itself; until it is refined it counts as good as the model it was made from. */
const metricOf = (file: SessionFile, metric: string, scorer: Scorer): number | undefined => {
  const own = scorer.lineage.measured(file, metric);
  if (own !== undefined || !isNewest(file, metric, scorer)) return own;
  const inherited = scorer.lineage.parents(file).map((parent) => scorer.lineage.measured(parent, metric));
  return inherited.find((value) => value !== undefined);
};

const keepsLigands = (file: SessionFile, parent: SessionFile): boolean => {
  const codes = parent.facts.model?.ligandCodes ?? [];
  return codes.length > 0 && codes.every((code) => file.facts.model?.ligandCodes.includes(code) === true);
};

/** A refined model stays at the stage of the model it was made from while it still holds that model's ligands. */
const stageOf = (file: SessionFile, scorer: Scorer): ScorePart => {
  const own = scorer.stages.find(({ files }) => files.has(file)) ?? { name: scorer.category, points: 0 };
  return scorer.lineage
    .parents(file)
    .filter((parent) => parent.cycle < file.cycle && keepsLigands(file, parent))
    .map((parent) => stageOf(parent, scorer))
    .reduce<ScorePart>((best, stage) => (stage.points > best.points ? stage : best), own);
};

/** All points at `best`, none at `worst`, linear between, never outside. */
const metricPoints = (value: number, rule: BestFileScoring['metrics'][number]): number =>
  rule.points * Math.min(1, Math.max(0, (value - rule.worst) / (rule.best - rule.worst)));

const scoreFile = (file: SessionFile, scorer: Scorer): ScoredFile => {
  const { name, points } = stageOf(file, scorer);
  const metrics = scorer.scoring.metrics.flatMap((rule) => {
    const value = metricOf(file, rule.metric, scorer);
    return value === undefined ? [] : [{ name: rule.metric, points: metricPoints(value, rule) }];
  });
  const parts = [{ name, points }, ...metrics];
  return { file, stage: name, parts, score: parts.reduce((sum, part) => sum + part.points, 0) };
};

const scorerOf = (category: string, files: readonly SessionFile[], input: BestFilesInput): Scorer | undefined => {
  const scoring = input.scoring[category];
  if (scoring === undefined) return undefined;
  // Every half map is a map too: the category itself is for what is nothing more special.
  const isWhole = ({ name }: ScorePart): number => Number(name === category);
  const stages = Object.entries(scoring.stages)
    .map(([name, points]) => ({ name, points, files: new Set(input.categorised.get(name)) }))
    .sort((one, other) => isWhole(one) - isWhole(other) || other.points - one.points);
  return { category, scoring, stages, lineage: lineageOf(files, input.cycles) };
};

/** All files of a category with their scores, best first; of equal scores the newer, see `newestFirst`. */
export const scoreFiles = (category: string, input: BestFilesInput): readonly ScoredFile[] => {
  const files = input.categorised.get(category) ?? [];
  const scorer = scorerOf(category, files, input);
  if (scorer === undefined) return [];
  return files
    .map((file) => scoreFile(file, scorer))
    .sort((one, other) => other.score - one.score || newestFirst(one.file, other.file));
};

/** The best file of each category that has a scoring and files (seed 000, "Best Files Tracking"). */
export const bestFiles = (input: BestFilesInput): ReadonlyMap<string, ScoredFile> => {
  const best = new Map<string, ScoredFile>();
  for (const category of Object.keys(input.scoring)) {
    const [first] = scoreFiles(category, input);
    if (first !== undefined) best.set(category, first);
  }
  return best;
};
