import type { SessionFile } from '@fleet/contracts/sessions';
import { baseName, stemOf } from '../name-glob';
import type { CrystalChains } from './crystal-chains';
import { likeness } from './sequence-likeness';

/** One component of the crystal, with all its models: the first is searched for, the others are alternatives. */
export interface SearchComponent {
  readonly models: readonly SessionFile[];
}

/** A stretch of one of the chains by which models are compared. */
interface Stretch {
  readonly chain: string;
  readonly from: number;
  readonly to: number;
}

/** Share of the shorter of two stretches above which both are the same component. */
const sharedByAlternatives = 0.5;

const chainsOf = (file: SessionFile): readonly string[] => file.facts.model?.sequences ?? [];

const residuesOf = ({ facts }: SessionFile): number => facts.model?.polymerResidues ?? 0;

const stretchesOn = (file: SessionFile, chains: readonly string[]): readonly Stretch[] =>
  chainsOf(file).flatMap((own) => {
    const found = chains.flatMap((chain) => {
      const part = likeness(own, chain);
      return part === undefined ? [] : [{ chain, ...part }];
    });
    return found.toSorted((one, other) => other.to - other.from - (one.to - one.from)).slice(0, 1);
  });

const areSamePart = (one: Stretch, other: Stretch): boolean => {
  if (one.chain !== other.chain) return false;
  const shared = Math.min(one.to, other.to) - Math.max(one.from, other.from);
  return shared >= sharedByAlternatives * Math.min(one.to - one.from, other.to - other.from);
};

/** Each has a sequence file of the same name. */
const haveOwnSequences = (one: SessionFile, other: SessionFile, { stems }: CrystalChains): boolean => {
  const [own, its] = [stemOf(one.path).toLowerCase(), stemOf(other.path).toLowerCase()];
  return own !== its && stems.has(own) && stems.has(its);
};

/** By the sequence of the crystal if it contains both, otherwise by each other's; if a sequence is unknown, by the file names. */
const areAlternatives = (one: SessionFile, other: SessionFile, crystal: CrystalChains): boolean => {
  if (chainsOf(one).length === 0 || chainsOf(other).length === 0) return !haveOwnSequences(one, other, crystal);
  const [ofOne, ofOther] = [stretchesOn(one, crystal.chains), stretchesOn(other, crystal.chains)];
  if (ofOne.length > 0 && ofOther.length > 0) return ofOne.some((a) => ofOther.some((b) => areSamePart(a, b)));
  // A model that is not in the sequence is an alternative, not a component.
  if (crystal.chains.length > 0) return true;
  return stretchesOn(one, chainsOf(other)).length > 0;
};

const compareNames = (one: SessionFile, other: SessionFile): number => {
  const [a, b] = [baseName(one.path), baseName(other.path)];
  return a === b ? 0 : a < b ? -1 : 1;
};

/** The largest first, independent of the order of submission. */
const bySize = ([one]: readonly SessionFile[], [other]: readonly SessionFile[]): number =>
  one === undefined || other === undefined ? 0 : residuesOf(other) - residuesOf(one) || compareNames(one, other);

/** Whether a placed model contains a component; undefined if the sequence of one of them is unknown. */
export const holdsComponent = (placed: SessionFile, component: SessionFile): boolean | undefined => {
  const own = chainsOf(component);
  if (own.length === 0 || chainsOf(placed).length === 0) return undefined;
  return own.every((chain) =>
    chainsOf(placed).some((other) => {
      const part = likeness(chain, other);
      return part !== undefined && part.to - part.from >= sharedByAlternatives * chain.length;
    }),
  );
};

/**
 * Groups models into components of the crystal. If a sequence is unknown, models count as the same component: one of them is searched for,
 * the others are alternatives.
 * @param models the preferred first
 * @param maxResidues maximum in the asymmetric unit; absent if unknown
 */
export const searchComponents = (
  models: readonly SessionFile[],
  crystal: CrystalChains,
  maxResidues?: number,
): readonly SearchComponent[] => {
  const groups: SessionFile[][] = [];
  // The largest first: a model of several components absorbs theirs.
  for (const model of models.toSorted((one, other) => bySize([one], [other]))) {
    const own = groups.find((members) => members.some((member) => areAlternatives(member, model, crystal)));
    if (own === undefined) groups.push([model]);
    else own.push(model);
  }
  const needed = groups.reduce((sum, [first]) => sum + (first === undefined ? 0 : residuesOf(first)), 0);
  const fits = crystal.stems.size > 0 || maxResidues === undefined || needed <= maxResidues;
  const parts = fits ? groups.toSorted(bySize) : [groups.flat()].filter((one) => one.length > 0);
  const preference = (model: SessionFile): number => models.indexOf(model);
  return parts.map((members) => ({ models: members.toSorted((one, other) => preference(one) - preference(other)) }));
};
