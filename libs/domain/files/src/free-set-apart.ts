import type { MtzFacts, SessionFile, UnitCell } from '@fleet/contracts/sessions';
import { isNearCell, sameToPrograms } from '@fleet/symmetry';
import { isObservation } from './descendants';
import { isUnmerged } from './file-order';
import { plainGroup } from './search/space-groups';

/** Both cells if they differ by more than 1 % or 1°. */
export const cellDifference = (one: UnitCell, other: UnitCell): string | undefined =>
  isNearCell(one, other, sameToPrograms) ? undefined : `${one.join(' ')} and ${other.join(' ')}`;

/** `P 43 21 2` and `P 4 2 2` have the same reflections in their asymmetric units: screw axes only extinguish some. */
const withoutScrews = (group: string): string => plainGroup(group.replace(/(?<=\s)([2346])[1-5](?=\s|$)/g, '$1'));

/** Whether two space groups differ at most in screw axes. */
export const isSamePointGroup = (one: string, other: string): boolean =>
  plainGroup(one) === plainGroup(other) || withoutScrews(one) === withoutScrews(other);

/**
 * Why two reflection files are from different crystals, so that the test set of one does not apply to the other; undefined if they match, by
 * cell (1 % and 1°) and point group, as far as both contain them.
 */
export const otherCrystal = ({ facts: one }: SessionFile, { facts: other }: SessionFile): string | undefined => {
  if (one.cell === undefined || other.cell === undefined) return 'the cell of one of them is not known';
  const difference = cellDifference(one.cell, other.cell);
  if (difference !== undefined) return `the cells differ (${difference})`;
  const [first, second] = [one.spaceGroup, other.spaceGroup];
  if (first === undefined || second === undefined || isSamePointGroup(first, second)) return undefined;
  return `the space groups differ (${first} and ${second})`;
};

/** A submitted file with R-free flags but no observations; outputs may have flags beside map coefficients. */
export const isFreeSetApart = (file: SessionFile): boolean =>
  file.cycle === 0 && file.facts.mtz?.freeFlag !== undefined && file.facts.assumed !== true && !isObservation(file);

/** Inspected data without flags. */
const lacksFreeSet = (file: SessionFile): boolean =>
  isObservation(file) && file.facts.assumed !== true && file.facts.mtz?.freeFlag === undefined && !isUnmerged(file);

/** The first file with a test set for these data: only flags, of the same crystal. Undefined if the data have flags. */
export const freeSetFor = (data: SessionFile, files: readonly SessionFile[]): SessionFile | undefined =>
  lacksFreeSet(data) ? files.find((file) => isFreeSetApart(file) && otherCrystal(file, data) === undefined) : undefined;

/** Names of the free flag column in CCP4 and PHENIX; files written by both contain the former. */
const usualNames = ['freer_flag', 'r-free-flags'];

/** The columns of free flags, by precedence: `FreeR_flag`, then `R-free-flags`, then in the order of the file. */
export const freeColumns = ({ freeFlag, otherFreeFlags = [] }: MtzFacts): readonly string[] => {
  const all = freeFlag === undefined ? [] : [freeFlag, ...otherFreeFlags];
  const rank = (label: string): number => {
    const at = usualNames.indexOf(label.toLowerCase());
    return at < 0 ? usualNames.length : at;
  };
  return all.toSorted((one, other) => rank(one) - rank(other));
};
