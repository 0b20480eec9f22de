import type { Reach } from '@fleet/access';
import type { SessionGroup } from '@fleet/ports';

/** Sessions that are counted, and whether their number is added or taken off. */
export interface CountedGroup {
  readonly group: SessionGroup;
  readonly sign: 1 | -1;
}

/** Both together; undefined where nothing can be in both. */
const both = (one: SessionGroup, other: SessionGroup): SessionGroup | undefined => {
  const agree = (['proposal', 'beamline'] as const).every(
    (name) => one[name] === undefined || other[name] === undefined || one[name] === other[name],
  );
  return agree ? { ...one, ...other } : undefined;
};

/**
 * Groups whose numbers add up to that of the sessions of a group that are within reach. What is of a proposal of theirs and of a beamline of
 * theirs counts once; a session has one proposal and at most one beamline, so that no more than two overlap.
 */
export const countedGroups = (reach: 'all' | readonly Reach[], group: SessionGroup): readonly CountedGroup[] => {
  if (reach === 'all') return [{ group, sign: 1 }];
  const proposals = reach.filter((one) => 'proposal' in one);
  const beamlines = reach.filter((one) => 'beamline' in one);
  const overlaps = proposals.flatMap((proposal) => beamlines.map((beamline) => ({ ...proposal, ...beamline })));
  const signed = [
    ...[...proposals, ...beamlines].map((part) => ({ part, sign: 1 as const })),
    ...overlaps.map((part) => ({ part, sign: -1 as const })),
  ];
  return signed.flatMap(({ part, sign }) => {
    const narrowed = both(group, part);
    return narrowed === undefined ? [] : [{ group: narrowed, sign }];
  });
};
