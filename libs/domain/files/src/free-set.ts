import type { SessionFile } from '@fleet/contracts/sessions';

const hashesOf = ({ facts }: SessionFile): ReadonlySet<string> | undefined =>
  facts.mtz?.freeSet === undefined ? undefined : new Set(facts.mtz.freeSet.split(' '));

/** Two independent sets share a few per cent; rejected outliers remove a few per cent of one. */
const shareOfOneSet = 0.5;

/**
 * Whether two files have the same free reflections, by content; undefined if one of them was not inspected. The hashes are the smallest of
 * each set, so their common share estimates that of the sets.
 */
export const comparedFreeSets = (one: SessionFile, other: SessionFile): boolean | undefined => {
  const [first, second] = [hashesOf(one), hashesOf(other)];
  if (first === undefined || second === undefined) return undefined;
  const size = Math.min(first.size, second.size);
  const smallest = [...new Set([...first, ...second])].sort().slice(0, size);
  return smallest.filter((hash) => first.has(hash) && second.has(hash)).length >= size * shareOfOneSet;
};

/** Whether the files are the same, or certainly have the same free reflections. */
export const isSameFreeSet = (one: SessionFile, other: SessionFile): boolean =>
  one.path === other.path || comparedFreeSets(one, other) === true;
