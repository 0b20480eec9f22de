import type { SessionFile } from '@fleet/contracts/sessions';
import { baseName, categorise, isModel } from '@fleet/files';
import type { RuleBook } from '@fleet/knowledge-model';
import type { LostProduct } from './done-products';
import { succeeded, type AnalysedCycle } from './workflow-input';

interface LostRunsInput {
  /** Paths of missing files; undefined if the disk was not checked. */
  readonly missing: ReadonlySet<string> | undefined;
  readonly inputs: readonly SessionFile[];
  readonly ruleBook: RuleBook;
}

/** Runs that are ignored because their output is missing. */
interface LostRuns {
  readonly cycles: ReadonlySet<number>;
  /** One for each of these runs. */
  readonly products: readonly LostProduct[];
  /** Missing models of the last runs: `a.pdb (cycle 3), b.pdb (cycle 2)`. Undefined: none. */
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

/** A model that no command used may be an output under another name (phenix-agent.md#zombie-states). */
const mayBeRenamed = (cycles: readonly AnalysedCycle[], { missing, inputs, ruleBook }: LostRunsInput): boolean => {
  const isNamed = isNamedBy(cycles);
  const existing = inputs.filter(({ path }) => missing?.has(path) !== true);
  return (
    categorise(existing, ruleBook.fileCategories)
      .get('model')
      ?.some((file) => !isNamed(file)) === true
  );
};

/** The first of several runs that wrote models of the same names. The later ones are accepted, because rerunning them would never end. */
const firstOfEach = (lostMakers: readonly Maker[]): readonly Maker[] => {
  const keyOf = (maker: Maker): string => `${maker.cycle.decision.program} ${namesOf(maker)}`;
  return lostMakers.filter((maker, index) => lostMakers.findIndex((one) => keyOf(one) === keyOf(maker)) === index);
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
 * The last runs that wrote models, if each of these models is missing: later programs cannot use them and continue with the files that exist.
 * @param cycles without infrastructure failures, oldest first
 */
export const lostRuns = (cycles: readonly AnalysedCycle[], input: LostRunsInput): LostRuns => {
  const makers = cycles
    .filter(succeeded)
    .map((cycle): Maker => ({ cycle, models: cycle.result.outputs.filter(isModel) }))
    .filter(({ models }) => models.length > 0);
  const lastWithModels = makers.findLastIndex(({ models }) =>
    models.some(({ path }) => input.missing?.has(path) !== true),
  );
  const lostMakers = makers.slice(lastWithModels + 1);
  if (lostMakers.length === 0) return { cycles: new Set(), products: [] };
  const models = lostMakers
    .toReversed()
    .map((maker) => `${namesOf(maker)} (cycle ${String(maker.cycle.cycle)})`)
    .join(', ');
  const lost = mayBeRenamed(cycles, input) ? [] : firstOfEach(lostMakers);
  return {
    cycles: new Set(lost.map(({ cycle }) => cycle.cycle)),
    products: lost.map((maker) => productOf(maker, input.ruleBook)),
    models,
  };
};
