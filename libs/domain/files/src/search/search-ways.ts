import type { SessionFile } from '@fleet/contracts/sessions';
import type { PlacementRules } from '@fleet/knowledge-model';
import type { CrystalChains } from './crystal-chains';
import { searchComponents, type SearchComponent } from './search-components';
import type { GroupChoice, PlacementTrial } from './placement-trials';
import type { GroupAlternatives } from './space-groups';

/** A possible search; open parameters have their defaults. */
export interface NextSearch {
  readonly models?: readonly SessionFile[];
  readonly copies?: number;
  readonly groups: GroupChoice;
}

/** Models for a search, and parameters that the submitter has left open. */
export interface SearchMaterial {
  /** Possible search models, the preferred first. */
  readonly candidates: readonly SessionFile[];
  readonly components: readonly SearchComponent[];
  /** Predictions of several components that must be processed first. */
  readonly unprocessed: readonly SessionFile[];
  readonly crystal: CrystalChains;
  readonly alternatives: GroupAlternatives;
  /** Estimated residues in the asymmetric unit. */
  readonly contents?: number;
  readonly fixed: { readonly copies: boolean; readonly groups: boolean };
}

const residuesOf = (models: readonly SessionFile[]): number =>
  models.reduce((sum, { facts }) => sum + (facts.assumed === true ? 0 : (facts.model?.polymerResidues ?? 0)), 0);

/** Other numbers of copies that fit into the asymmetric unit, the nearest first. */
const copyChoices = (
  guess: number,
  own: number,
  contents: number | undefined,
  { least, most, ways }: PlacementRules['copies'],
): readonly number[] => {
  if (contents === undefined || own === 0) return [];
  const fits = (copies: number): boolean =>
    copies >= 1 && copies * own >= least * contents && copies * own <= most * contents;
  const near = Array.from({ length: 2 * guess + 2 }, (_, at) => at).filter(
    (copies) => copies !== guess && fits(copies),
  );
  return near.toSorted((one, other) => Math.abs(one - guess) - Math.abs(other - guess)).slice(0, ways);
};

/**
 * Models of the first search: one of each component. Undefined for a single component, whose model is chosen as usual; a whole is preferred
 * to its separate parts.
 */
export const firstModels = ({ components, crystal }: SearchMaterial): readonly SessionFile[] | undefined => {
  const [only, ...others] = components;
  if (only === undefined) return undefined;
  if (others.length > 0) return components.flatMap(({ models }) => models.slice(0, 1));
  const [largest, ...rest] = only.models.toSorted((one, other) => residuesOf([other]) - residuesOf([one]));
  return largest !== undefined && searchComponents(rest, crystal).length > 1 ? [largest] : undefined;
};

/** Sets of models that replace those of the first search. */
const otherModels = (
  first: readonly SessionFile[],
  { components, crystal }: SearchMaterial,
): readonly (readonly SessionFile[])[] =>
  components.flatMap(({ models }) => {
    const current = first.find((model) => models.includes(model));
    const rest = models.filter((model) => !first.includes(model));
    const exchange = (others: readonly SessionFile[]): readonly SessionFile[] => [
      ...first.filter((model) => model !== current),
      ...others,
    ];
    const parts = searchComponents(rest, crystal);
    const domains = parts.length > 1 ? [exchange(parts.flatMap((part) => part.models.slice(0, 1)))] : [];
    return [...domains, ...rest.map((model) => exchange([model]))];
  });

const sameModels = (trial: PlacementTrial, models: readonly SessionFile[] | undefined): boolean =>
  models === undefined ||
  trial.models.length === 0 ||
  (models.length === trial.models.length && models.every(({ path }) => trial.models.includes(path)));

const wasTried = (next: NextSearch, trials: readonly PlacementTrial[]): boolean =>
  trials.some(
    (trial) =>
      sameModels(trial, next.models) &&
      (next.copies === undefined || next.copies === trial.copies) &&
      (next.groups !== 'all' || trial.groups === 'all'),
  );

/**
 * The space groups of the first search. Data do not distinguish a structure from its mirror image, and a group without screw axes usually
 * means that only the point group is known.
 */
export const firstGroups = ({ alternatives, fixed }: SearchMaterial): GroupChoice => {
  if (fixed.groups) return 'data';
  if (alternatives.pointGroupAlone === true) return 'all';
  return alternatives.hand === undefined ? 'data' : 'hand';
};

/** If a search did not find a first copy, another number does not help. */
const otherCopies = (
  { placed, copies }: PlacementTrial,
  models: readonly SessionFile[],
  { fixed, contents }: SearchMaterial,
  rules: PlacementRules,
): readonly number[] =>
  fixed.copies || !placed ? [] : copyChoices(copies, residuesOf(models), contents, rules.copies);

/**
 * Untried search strategies in their order: other numbers of copies, other models, other space groups of the point group.
 * @param trials at least one
 */
export const remainingWays = (
  trials: readonly PlacementTrial[],
  material: SearchMaterial,
  rules: PlacementRules,
): readonly NextSearch[] => {
  const [first] = trials;
  if (first === undefined) return [];
  const models = first.models.flatMap((path) => material.candidates.find((file) => file.path === path) ?? []);
  const known = models.length === first.models.length && models.length > 0 ? { models } : {};
  const groups = firstGroups(material);
  const copies = otherCopies(first, models, material, rules);
  const others = otherModels(models, material);
  const tried = first.groups === 'hand' ? 1 : 0;
  const isSettled = material.fixed.groups || trials.some(({ clear }) => clear);
  const hasGroups = !isSettled && groups !== 'all' && material.alternatives.others.length > tried;
  const ways: readonly NextSearch[] = [
    ...copies.map((count) => ({ ...known, copies: count, groups })),
    ...others.map((set) => ({ models: set, groups })),
    ...(hasGroups ? [{ ...known, copies: first.copies, groups: 'all' as const }] : []),
    ...(hasGroups ? others.map((set) => ({ models: set, groups: 'all' as const })) : []),
  ];
  return ways.filter((way) => !wasTried(way, trials));
};
