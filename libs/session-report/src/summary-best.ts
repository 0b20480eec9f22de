import type { Session, SessionFile } from '@fleet/contracts';
import { bestFiles, categorise, ligandEvidence, sessionFiles } from '@fleet/files';
import type { ProgramGroup, RuleBook } from '@fleet/knowledge-model';
import { succeeded, type SucceededCycle } from './summary-facts';

/** What a session has come to: its best model with the map that belongs to it, and the cycles that speak of this model. */
export interface BestResult {
  readonly model: SessionFile;
  /** Model, then its maps. */
  readonly files: readonly SessionFile[];
  /** The cycle that made the model, and those that judged it, oldest first. */
  readonly cycles: readonly SucceededCycle[];
}

/** Programs whose numbers are those of a model, which may be another one than the best. */
const judging: ReadonlySet<ProgramGroup> = new Set(['refinement', 'building', 'validation', 'placement']);

const makesModels: ReadonlySet<ProgramGroup> = new Set(['refinement', 'building', 'placement']);

/** Undefined where no program has made a model. A model with a ligand that has no evidence is none of the session's results. */
export const bestResult = (
  session: Session,
  { fileCategories, bestFiles: scoring, programs, ligandEvidence: rules }: RuleBook,
): BestResult | undefined => {
  const { isSetAside, keptBeside } = ligandEvidence(session, rules);
  const delivered = sessionFiles(session).filter((file) => !isSetAside(file));
  const categorised = categorise(delivered, fileCategories);
  const best = bestFiles({ categorised, cycles: session.cycles, scoring });
  const model = best.get('model')?.file;
  if (model === undefined || model.cycle === 0) return undefined;
  const groupOf = ({ decision }: SucceededCycle): ProgramGroup | undefined => programs[decision.program]?.group;
  const speaksOf = (cycle: SucceededCycle): boolean => {
    const group = groupOf(cycle);
    if (keptBeside.has(cycle.cycle)) return false;
    if (cycle.cycle === model.cycle || group === undefined || !judging.has(group)) return true;
    return !makesModels.has(group) && cycle.decision.inputs.some(({ path }) => path === model.path);
  };
  const maps = ['map_coeffs_mtz', 'map'].flatMap((category) => best.get(category)?.file ?? []);
  const own = maps.filter(({ cycle }) => cycle === model.cycle);
  return { model, files: [model, ...own], cycles: succeeded(session).filter(speaksOf) };
};
