import type { SessionFile } from '@fleet/contracts/sessions';
import type { SucceededCycle } from './session-files';

export const isModel = ({ facts: { format } }: SessionFile): boolean => format === 'pdb' || format === 'mmcif-model';

/** Reflection data with measurements: their free set stays valid whatever happens to the model. */
export const isObservation = ({ facts: { mtz } }: SessionFile): boolean => (mtz?.observations.length ?? 0) > 0;

/** The cycles that made one of these models, and those that worked with one of its descendants. */
export const descendants = (makers: ReadonlySet<number>, cycles: readonly SucceededCycle[]): ReadonlySet<number> => {
  const found = new Set<number>();
  const madeBy = new Map<string, number>();
  for (const { cycle, decision, result } of cycles) {
    const isFromMaker = decision.inputs.some(({ path }) => found.has(madeBy.get(path) ?? 0));
    if (makers.has(cycle) || isFromMaker) found.add(cycle);
    for (const file of result.outputs.filter(isModel)) madeBy.set(file.path, cycle);
  }
  return found;
};
