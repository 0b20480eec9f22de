import type { PlacementRules } from '@fleet/knowledge-model';
import { hermannMauguin } from '@fleet/symmetry';

/** A name of a space group for comparisons: the same for `P 21 21 21 (No. 19)` and `P212121`, for `P 1 21 1` and `P 21`, for `H 3` and `R 3 :H`. */
export const plainGroup = (name: string): string => {
  const symbol = name.replace(/\s\(.*$/, '');
  return hermannMauguin(symbol) ?? symbol.trim().toUpperCase();
};

/** Alternatives of a space group. */
export interface GroupAlternatives {
  /** Its mirror image, for the eleven pairs that have one. */
  readonly hand?: string;
  /** All others of its point group and lattice, including the mirror image. */
  readonly others: readonly string[];
  /** It has no screw axes: data processing writes that group if it knows only the point group. */
  readonly pointGroupAlone?: boolean;
}

type GroupSets = readonly (readonly string[])[];

const setsByName = new WeakMap<GroupSets, ReadonlyMap<string, readonly string[]>>();

/** Cached for the sets of the frozen rule book: the set of each group by its normalised name. */
const byPlainName = (sets: GroupSets): ReadonlyMap<string, readonly string[]> => {
  const known = setsByName.get(sets);
  if (known !== undefined) return known;
  // Reversed, so that the first of several sets wins.
  const made = new Map(sets.toReversed().flatMap((names) => names.map((name) => [plainGroup(name), names] as const)));
  setsByName.set(sets, made);
  return made;
};

const othersOf = (group: string, sets: GroupSets): readonly string[] => {
  const plain = plainGroup(group);
  return (
    byPlainName(sets)
      .get(plain)
      ?.filter((name) => plainGroup(name) !== plain) ?? []
  );
};

/** `P 4 2 2` and `I 2 2 2`, but not `P 41 21 2`; uses the name in the sets, whose axes are separated. */
const isWithoutScrewAxes = (group: string, sets: GroupSets): boolean => {
  const name = sets.flat().find((one) => plainGroup(one) === plainGroup(group));
  return name !== undefined && name.split(' ').every((part) => part.length === 1);
};

/** Groups that the same data could have; empty for an unknown group. */
export const groupAlternatives = (
  group: string | undefined,
  { space_groups, hands }: Pick<PlacementRules, 'space_groups' | 'hands'>,
): GroupAlternatives => {
  if (group === undefined) return { others: [] };
  const [hand] = othersOf(group, hands);
  const others = othersOf(group, space_groups);
  return {
    others,
    ...(hand === undefined ? {} : { hand }),
    ...(others.length > 0 && isWithoutScrewAxes(group, space_groups) ? { pointGroupAlone: true } : {}),
  };
};
