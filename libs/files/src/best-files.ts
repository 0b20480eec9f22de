import type { CycleRecord, SessionFile } from '@fleet/contracts';
import { metricValue } from '@fleet/contracts';
import type { BestFileScoring } from '@fleet/knowledge-model';
import type { CategorisedFiles } from './categorise';

export interface ScoredFile {
  readonly file: SessionFile;
  readonly score: number;
  /** Sub-category that gave the stage points. */
  readonly stage: string;
  /** What the score is made of, for the `file_scored` event: the stage and each metric with its points. */
  readonly parts: readonly { readonly name: string; readonly points: number }[];
}

export interface BestFilesInput {
  readonly categorised: CategorisedFiles;
  readonly cycles: readonly CycleRecord[];
  /** knowledge/metrics.yaml, `best_files`: scoring by category. */
  readonly scoring: Readonly<Record<string, BestFileScoring>>;
}

interface Scorer {
  readonly category: string;
  readonly members: ReadonlySet<SessionFile>;
  readonly input: BestFilesInput;
  readonly scoring: BestFileScoring;
}

const usedBy = (file: SessionFile, cycle: CycleRecord): boolean =>
  cycle.result?.outcome === 'success' && cycle.decision.inputs.some(({ path }) => path === file.path);

const makerOf = (file: SessionFile, { input }: Scorer): CycleRecord | undefined =>
  input.cycles.find(({ cycle }) => cycle === file.cycle);

/** Files of the category that went into the cycle which made this file. */
const parentsOf = (file: SessionFile, scorer: Scorer): readonly SessionFile[] => {
  const maker = makerOf(file, scorer);
  return maker === undefined ? [] : [...scorer.members].filter((member) => usedBy(member, maker));
};

/** Measured on this very file: by the cycle that made it, else by a later one that used it and made nothing of this category. */
const measured = (file: SessionFile, metric: string, scorer: Scorer): number | undefined => {
  const validations = scorer.input.cycles.filter(
    (cycle) => usedBy(file, cycle) && ![...scorer.members].some((member) => member.cycle === cycle.cycle),
  );
  const values = [makerOf(file, scorer), ...validations].map((cycle) => metricValue(cycle?.result, metric));
  return values.find((value) => value !== undefined);
};

/** Whether a file made from this one was measured: then what this one had from its own parents no longer counts. */
const isSuperseded = (file: SessionFile, metric: string, scorer: Scorer): boolean =>
  [...scorer.members].some(
    (member) => parentsOf(member, scorer).includes(file) && measured(member, metric, scorer) !== undefined,
  );

/** A merged model (pdbtools) measures nothing itself; until it is refined it counts as good as the model it was made from. */
const metricOf = (file: SessionFile, metric: string, scorer: Scorer): number | undefined => {
  const own = measured(file, metric, scorer);
  if (own !== undefined || isSuperseded(file, metric, scorer)) return own;
  const inherited = parentsOf(file, scorer).map((parent) => measured(parent, metric, scorer));
  return inherited.find((value) => value !== undefined);
};

const stagePoints = (file: SessionFile, scorer: Scorer): { readonly name: string; readonly points: number } => {
  const { categorised } = scorer.input;
  const reached = Object.entries(scorer.scoring.stages)
    .filter(([name]) => categorised.get(name)?.includes(file) === true)
    .map(([name, points]) => ({ name, points }));
  return reached.sort((one, other) => other.points - one.points)[0] ?? { name: scorer.category, points: 0 };
};

const keepsLigands = (file: SessionFile, parent: SessionFile): boolean => {
  const codes = parent.facts.model?.ligandCodes ?? [];
  return codes.length > 0 && codes.every((code) => file.facts.model?.ligandCodes.includes(code) === true);
};

/** A refined model stays at the stage of the model it was made from while it still holds that model's ligands. */
const stageOf = (file: SessionFile, scorer: Scorer): { readonly name: string; readonly points: number } => {
  const own = stagePoints(file, scorer);
  const inherited = parentsOf(file, scorer)
    .filter((parent) => parent.cycle < file.cycle && keepsLigands(file, parent))
    .map((parent) => stageOf(parent, scorer));
  return inherited.reduce((best, stage) => (stage.points > best.points ? stage : best), own);
};

/** All points at `best`, none at `worst`, linear between, never outside. */
const metricPoints = (value: number, rule: BestFileScoring['metrics'][number]): number =>
  rule.points * Math.min(1, Math.max(0, (value - rule.worst) / (rule.best - rule.worst)));

const scoreFile = (file: SessionFile, scorer: Scorer): ScoredFile => {
  const stage = stageOf(file, scorer);
  const metrics = scorer.scoring.metrics.flatMap((rule) => {
    const value = metricOf(file, rule.metric, scorer);
    return value === undefined ? [] : [{ name: rule.metric, points: metricPoints(value, rule) }];
  });
  const parts = [stage, ...metrics];
  return { file, stage: stage.name, parts, score: parts.reduce((sum, part) => sum + part.points, 0) };
};

/** All files of a category with their scores, best first; of equal scores the newer cycle, then the earlier in the category. */
export const scoreFiles = (category: string, input: BestFilesInput): readonly ScoredFile[] => {
  const scoring = input.scoring[category];
  const files = input.categorised.get(category) ?? [];
  if (scoring === undefined) return [];
  const scorer: Scorer = { category, members: new Set(files), input, scoring };
  return files
    .map((file) => scoreFile(file, scorer))
    .sort((one, other) => other.score - one.score || other.file.cycle - one.file.cycle);
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
