import type { SessionFile } from '@fleet/contracts/sessions';
import { baseName, stemOf } from '../name-glob';
import type { CrystalChains } from './crystal-chains';
import { likeness } from './sequence-likeness';

/** One part of the crystal's contents, with every model of it: the first is searched for, the others are other ways. */
export interface SearchComponent {
  readonly models: readonly SessionFile[];
}

/** A stretch of one of the chains that models are compared by. */
interface Stretch {
  readonly chain: string;
  readonly from: number;
  readonly to: number;
}

/** Of the shorter of two stretches: where they share more, they are the same part. */
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

/** Each has a sequence file of its own name. */
const haveOwnSequences = (one: SessionFile, other: SessionFile, { stems }: CrystalChains): boolean => {
  const [own, its] = [stemOf(one.path).toLowerCase(), stemOf(other.path).toLowerCase()];
  return own !== its && stems.has(own) && stems.has(its);
};

/** By the sequence of the crystal where both are in it, else by each other's; where a sequence is not known, by the names of the files. */
const areAlternatives = (one: SessionFile, other: SessionFile, crystal: CrystalChains): boolean => {
  if (chainsOf(one).length === 0 || chainsOf(other).length === 0) return !haveOwnSequences(one, other, crystal);
  const [ofOne, ofOther] = [stretchesOn(one, crystal.chains), stretchesOn(other, crystal.chains)];
  if (ofOne.length > 0 && ofOther.length > 0) return ofOne.some((a) => ofOther.some((b) => areSamePart(a, b)));
  // A model that the sequence does not know is another try, no part of its own.
  if (crystal.chains.length > 0) return true;
  return stretchesOn(one, chainsOf(other)).length > 0;
};

const compareNames = (one: SessionFile, other: SessionFile): number => {
  const [a, b] = [baseName(one.path), baseName(other.path)];
  return a === b ? 0 : a < b ? -1 : 1;
};

/** The largest first, whatever the order in which the files were submitted. */
const bySize = ([one]: readonly SessionFile[], [other]: readonly SessionFile[]): number =>
  one === undefined || other === undefined ? 0 : residuesOf(other) - residuesOf(one) || compareNames(one, other);

/** Whether a placed model holds a component; undefined where the sequence of one of them is not known. */
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
 * Which models are different parts of the crystal and which stand for the same one. Where a sequence is not known, models count as the
 * same part: one of them is searched for, the others are other ways.
 * @param models the preferred first
 * @param maxResidues that the asymmetric unit can hold; absent where nobody knows
 */
export const searchComponents = (
  models: readonly SessionFile[],
  crystal: CrystalChains,
  maxResidues?: number,
): readonly SearchComponent[] => {
  const groups: SessionFile[][] = [];
  // The largest first: what holds several parts takes their models to itself.
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
