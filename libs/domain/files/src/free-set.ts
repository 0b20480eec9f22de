import type { SessionFile } from '@fleet/contracts/sessions';

const hashesOf = ({ facts }: SessionFile): ReadonlySet<string> | undefined =>
  facts.mtz?.freeSet === undefined ? undefined : new Set(facts.mtz.freeSet.split(' '));

/** Of two sets that were drawn apart a few per cent agree; what programs reject as outliers takes a few per cent from one. */
const shareOfOneSet = 0.5;

/**
 * Whether two files have the same reflections free, by their content; undefined where nobody has looked into one of them. The hashes are
 * the smallest of each set, so that the share of all of them that both have tells how much of the sets is common.
 */
export const comparedFreeSets = (one: SessionFile, other: SessionFile): boolean | undefined => {
  const [first, second] = [hashesOf(one), hashesOf(other)];
  if (first === undefined || second === undefined) return undefined;
  const size = Math.min(first.size, second.size);
  const smallest = [...new Set([...first, ...second])].sort().slice(0, size);
  return smallest.filter((hash) => first.has(hash) && second.has(hash)).length >= size * shareOfOneSet;
};

/** One and the same file, or proven to have the same reflections free. */
export const isSameFreeSet = (one: SessionFile, other: SessionFile): boolean =>
  one.path === other.path || comparedFreeSets(one, other) === true;
