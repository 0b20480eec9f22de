import type { SessionFile } from '@fleet/contracts/sessions';
import { baseName, categorise, isModel } from '@fleet/files';
import type { RuleBook } from '@fleet/knowledge-model';
import type { LostProduct } from './done-products';
import { succeeded, type AnalysedCycle } from './workflow-input';

interface Told {
  /** Paths of files that are gone, where somebody has looked. */
  readonly missing: ReadonlySet<string> | undefined;
  readonly inputs: readonly SessionFile[];
  readonly ruleBook: RuleBook;
}

/** Runs that count as if they had not been, because what they made is gone. */
interface LostRuns {
  readonly cycles: ReadonlySet<number>;
  /** One for each of them. */
  readonly products: readonly LostProduct[];
  /** Models that the last runs made and that are gone: `a.pdb (cycle 3), b.pdb (cycle 2)`. Undefined: none. */
  readonly models?: string;
}

interface Maker {
  readonly cycle: AnalysedCycle;
  readonly models: readonly SessionFile[];
}

const namesOf = ({ models }: Maker): string => models.map(({ path }) => baseName(path)).join(', ');

const isNamedBy =
  (cycles: readonly AnalysedCycle[]): ((file: SessionFile) => boolean) =>
  ({ path }) =>
    cycles.some(({ decision: { argv, inputs } }) => argv.includes(path) || inputs.some((input) => input.path === path));

/** A model that no command was given may be an output under another name (phenix-agent.md#zombie-states). */
const mayBeRenamed = (cycles: readonly AnalysedCycle[], { missing, inputs, ruleBook }: Told): boolean => {
  const isNamed = isNamedBy(cycles);
  const there = inputs.filter(({ path }) => missing?.has(path) !== true);
  return (
    categorise(there, ruleBook.fileCategories)
      .get('model')
      ?.some((file) => !isNamed(file)) === true
  );
};

/** Of runs that made models of the same names the first: the later ones are believed, for running them again would not end. */
const firstOfEach = (gone: readonly Maker[]): readonly Maker[] => {
  const keyOf = (maker: Maker): string => `${maker.cycle.decision.program} ${namesOf(maker)}`;
  return gone.filter((maker, index) => gone.findIndex((one) => keyOf(one) === keyOf(maker)) === index);
};

const productOf = (maker: Maker, { programs }: RuleBook): LostProduct => {
  const { cycle, decision } = maker.cycle;
  return {
    program: decision.program,
    flag: programs[decision.program]?.done.flag ?? '',
    message: `${decision.program} has run, but what it made in cycle ${String(cycle)} (${namesOf(maker)}) is missing; it counts as not done and may run again.`,
  };
};

/**
 * The last runs that made models, where each of these models is gone: nothing can be built on them, and what is there is worked with.
 * @param cycles those that tell something about the science, oldest first
 */
export const lostRuns = (cycles: readonly AnalysedCycle[], told: Told): LostRuns => {
  const makers = cycles
    .filter(succeeded)
    .map((cycle): Maker => ({ cycle, models: cycle.result.outputs.filter(isModel) }))
    .filter(({ models }) => models.length > 0);
  const lastKept = makers.findLastIndex(({ models }) => models.some(({ path }) => told.missing?.has(path) !== true));
  const gone = makers.slice(lastKept + 1);
  if (gone.length === 0) return { cycles: new Set(), products: [] };
  const models = gone
    .toReversed()
    .map((maker) => `${namesOf(maker)} (cycle ${String(maker.cycle.cycle)})`)
    .join(', ');
  const lost = mayBeRenamed(cycles, told) ? [] : firstOfEach(gone);
  return {
    cycles: new Set(lost.map(({ cycle }) => cycle.cycle)),
    products: lost.map((maker) => productOf(maker, told.ruleBook)),
    models,
  };
};
