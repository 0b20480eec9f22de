import type { SessionFile } from '@fleet/contracts';
import { comparedFreeSets } from '@fleet/files';
import type { WorkflowKnowledge, FactSheet } from '@fleet/knowledge-model';
import { succeeded, type AnalysedCycle } from '../workflow-input';

/** The reflection data of a run whose free set is known by content: what it was given, then what it wrote. */
const flaggedOf = (
  { decision, result }: AnalysedCycle,
  byPath: ReadonlyMap<string, SessionFile>,
): readonly SessionFile[] =>
  [...decision.inputs.flatMap(({ path }) => byPath.get(path) ?? []), ...result.outputs].filter(
    ({ facts: { mtz } }) => mtz?.freeSet !== undefined && mtz.observations.length > 0,
  );

/** `free_set_changed` and `free_set_changed_by`: the free set of every refinement is compared with that of the first. */
export const addFreeSetFacts = (
  sheet: FactSheet,
  cycles: readonly AnalysedCycle[],
  { refinement }: WorkflowKnowledge,
  files: readonly SessionFile[],
): void => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const programs = new Set(refinement.map(({ program }) => program));
  const runs = cycles
    .filter((cycle) => succeeded(cycle) && programs.has(cycle.decision.program))
    .map((cycle) => ({ cycle, data: flaggedOf(cycle, byPath) }));
  const first = runs.find(({ data }) => data.length > 0)?.data[0];
  if (first === undefined) return;
  const changed = runs.find(({ data }) => data.some((file) => comparedFreeSets(first, file) === false));
  sheet.free_set_changed = changed?.cycle.cycle ?? 0;
  if (changed !== undefined) sheet.free_set_changed_by = changed.cycle.decision.program;
};
