import type { Session, SessionFile } from '@fleet/contracts/sessions';
import {
  bestFiles,
  categorise,
  judgedCycles,
  excludedFromResult,
  sessionFiles,
  submittedModel,
  succeededCycles,
  type BestFilesInput,
  type SubmittedValue,
  type SucceededCycle,
} from '@fleet/files';
import type { ProgramGroup, RuleBook, SubmittedRule } from '@fleet/knowledge-model';

/** The result of a session: its best model with its map, and the cycles about this model. */
export interface BestResult {
  readonly model: SessionFile;
  /** Model, then its maps. */
  readonly files: readonly SessionFile[];
  /** The cycle that made the model, and those that judged it, oldest first. */
  readonly cycles: readonly SucceededCycle[];
  /** For a submitted model: the refinement that reported its initial fit; its metrics are those of its start. */
  readonly measuredAtStart?: number;
}

/** Programs whose metrics belong to a model, which may not be the best one. */
const judging: ReadonlySet<ProgramGroup> = new Set(['refinement', 'building', 'validation', 'placement']);

const makesModels: ReadonlySet<ProgramGroup> = new Set(['refinement', 'building', 'placement']);

/** A refinement with its initial metrics instead of its final ones. */
const atStart = (cycle: SucceededCycle, rule: SubmittedRule): SucceededCycle => {
  const names = new Map([
    [rule.at_start, rule.metric],
    [rule.beside_at_start, rule.beside],
  ]);
  const metrics = cycle.result.metrics.flatMap((metric) => {
    const name = names.get(metric.name);
    return name === undefined ? [] : [{ ...metric, name }];
  });
  return { ...cycle, result: { ...cycle.result, metrics } };
};

/** A refinement without its inflated metric. */
const without = (cycle: SucceededCycle, metric: string | undefined): SucceededCycle => {
  const metrics = cycle.result.metrics.filter(({ name }) => name !== metric);
  return { ...cycle, result: { ...cycle.result, metrics } };
};

/** The submitted model, if refinement did not improve it; before any refinement it is not a result. */
const keptAsSubmitted = (
  input: BestFilesInput,
  model: SessionFile,
  makers: readonly SucceededCycle[],
): SubmittedValue | undefined => {
  const submitted = submittedModel(input);
  const isUsed = makers.some(({ decision }) => decision.inputs.some(({ path }) => path === model.path));
  return isUsed && submitted?.file.path === model.path ? submitted : undefined;
};

type Scoring = RuleBook['bestFiles'];

/** The cycles with unbiased metrics, and for a submitted model the initial ones. */
const asMeasured = (
  all: readonly SucceededCycle[],
  { categorised, scoring }: Pick<BestFilesInput, 'categorised' | 'scoring'>,
  start: SubmittedValue | undefined,
): readonly SucceededCycle[] => {
  const { judged, submitted }: Partial<Scoring[string]> = scoring['model'] ?? {};
  const { flattered, isUnjudged } = judgedCycles(all, categorised, scoring);
  return all.map((cycle) => {
    if (cycle.cycle === start?.cycle && submitted !== undefined) return atStart(cycle, submitted);
    return flattered.has(cycle.cycle) && !isUnjudged ? without(cycle, judged?.metric) : cycle;
  });
};

/** Undefined if no program has made a model. A model with a ligand without evidence, or with a rejected placement, is not a result. */
export const bestResult = (session: Session, book: RuleBook): BestResult | undefined => {
  const { fileCategories, bestFiles: scoring, programs } = book;
  const beside = excludedFromResult(session, book);
  const delivered = sessionFiles(session).filter((file) => !beside.isSetAside(file));
  const categorised = categorise(delivered, fileCategories);
  const input = { categorised, cycles: session.cycles, scoring, rules: book };
  const best = bestFiles(input);
  const model = best.get('model')?.file;
  if (model === undefined) return undefined;
  const groupOf = ({ decision }: SucceededCycle): ProgramGroup => programs[decision.program]?.group ?? 'analysis';
  const all = succeededCycles(session);
  const makers = all.filter((cycle) => makesModels.has(groupOf(cycle)));
  const submitted = model.cycle === 0 ? keptAsSubmitted(input, model, makers) : undefined;
  if (model.cycle === 0 && submitted === undefined) return undefined;
  const start = submitted?.atStart === true ? submitted : undefined;
  const speaksOf = (cycle: SucceededCycle): boolean => {
    if (beside.cycles.has(cycle.cycle)) return false;
    if ([model.cycle, start?.cycle].includes(cycle.cycle) || !judging.has(groupOf(cycle))) return true;
    return (
      !makers.some(({ cycle: made }) => made === cycle.cycle) &&
      cycle.decision.inputs.some(({ path }) => path === model.path)
    );
  };
  const maps = ['map_coeffs_mtz', 'map'].flatMap((category) => best.get(category)?.file ?? []);
  const own = maps.filter(({ cycle }) => cycle === model.cycle && cycle > 0);
  return {
    model,
    files: [model, ...own],
    cycles: asMeasured(all, input, start).filter(speaksOf),
    ...(start === undefined ? {} : { measuredAtStart: start.cycle }),
  };
};
