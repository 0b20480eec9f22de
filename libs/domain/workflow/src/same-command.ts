import { metricValue, type CycleRecord } from '@fleet/contracts/sessions';
import { isModel } from '@fleet/files';
import type { ProgramGroup, ProgramKnowledge } from '@fleet/knowledge-model';

/** The command of a run, built now or recorded. */
export interface RunCommand {
  readonly argv: readonly string[];
  readonly inputs: readonly { readonly slot: string; readonly path: string }[];
}

/** Maps the path of a model that a run left unchanged to the path of its original. */
export type CopiedModels = ReadonlyMap<string, string>;

const isUnchanged = ({ result }: CycleRecord, program: ProgramKnowledge | undefined): boolean =>
  program?.unchanged_when?.metrics.every(({ metric, at_start }) => {
    const value = metricValue(result, metric);
    return value !== undefined && value === metricValue(result, at_start);
  }) === true;

/**
 * Models that runs wrote unchanged (`unchanged_when` of a program).
 * @param cycles those that succeeded, oldest first
 */
export const copiedModels = (
  cycles: readonly CycleRecord[],
  programs: Readonly<Record<string, ProgramKnowledge>>,
): CopiedModels => {
  const copies = new Map<string, string>();
  for (const cycle of cycles) {
    const { decision, result } = cycle;
    const given = decision.inputs.find(({ slot }) => slot === 'model')?.path;
    if (given === undefined || !isUnchanged(cycle, programs[decision.program])) continue;
    for (const { path } of result?.outputs.filter(isModel) ?? []) copies.set(path, copies.get(given) ?? given);
  }
  return copies;
};

/**
 * A key of what a run does, without the names of its outputs and without which copy of the locked reflection data or of a model it reads:
 * runs with the same key have the same result. Undefined if the history does not contain its inputs other than the data.
 */
export const essenceOf = (
  { argv, inputs }: RunCommand,
  { strategy, inputs: slots }: ProgramKnowledge,
  copies: CopiedModels,
): string | undefined => {
  const names = strategy.filter(({ type }) => type === 'output_name').map(({ parameter }) => `${parameter}=`);
  const locked = new Set(slots.filter((slot) => slot.free_flags === 'locked').map(({ slot }) => slot));
  const data = inputs.filter(({ slot }) => locked.has(slot)).map(({ path }) => path);
  const others = inputs.filter(({ slot }) => !locked.has(slot)).map(({ path }) => path);
  if (others.length === 0) return undefined;
  const isData = (token: string): boolean => data.some((path) => token === path || token.endsWith(`=${path}`));
  const words = argv
    .filter((token) => !names.some((name) => token.startsWith(name)))
    .map((token) => (isData(token) ? 'DATA' : (copies.get(token) ?? token)));
  // A command in a client's history need not name its model.
  return JSON.stringify([words, others.map((path) => copies.get(path) ?? path).toSorted()]);
};

/** Programs of these groups may write a new file under an existing name. */
const remaking: ReadonlySet<ProgramGroup> = new Set(['placement', 'building', 'ligand', 'map_improvement']);

/** Whether the success of a program may put another model or map under a known name, so that the same text is another command. */
export const remakesInputs = (program: ProgramKnowledge | undefined): boolean =>
  program !== undefined && remaking.has(program.group);

/** Removes runs of a refinement that repeat an earlier one: they add no information. */
export const withoutRepeats = <T extends CycleRecord>(
  cycles: readonly T[],
  programs: Readonly<Record<string, ProgramKnowledge>>,
): readonly T[] => {
  const seen = new Set<string>();
  const copies = copiedModels(cycles, programs);
  return cycles.filter(({ decision }) => {
    const program = programs[decision.program];
    if (remakesInputs(program)) seen.clear();
    if (program?.group !== 'refinement' || decision.argv.length < 2) return true;
    const essence = essenceOf(decision, program, copies);
    if (essence === undefined) return true;
    const isRepeat = seen.has(essence);
    seen.add(essence);
    return !isRepeat;
  });
};
