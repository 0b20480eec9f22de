import type { Reach } from '@fleet/access';
import type { SessionGroup } from '@fleet/ports';

/** Sessions to count, and whether their number is added or subtracted. */
export interface CountedGroup {
  readonly group: SessionGroup;
  readonly sign: 1 | -1;
}

/** The intersection; undefined if it is empty. */
const both = (one: SessionGroup, other: SessionGroup): SessionGroup | undefined => {
  const agree = (['proposal', 'beamline'] as const).every(
    (name) => one[name] === undefined || other[name] === undefined || one[name] === other[name],
  );
  return agree ? { ...one, ...other } : undefined;
};

/**
 * Groups whose counts add up to the number of a group's visible sessions. Sessions of both a visible proposal and a
 * visible beamline count once; a session has one proposal and at most one beamline, so at most two groups overlap.
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
