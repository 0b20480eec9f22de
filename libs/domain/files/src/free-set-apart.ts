import type { MtzFacts, SessionFile, UnitCell } from '@fleet/contracts/sessions';
import { isObservation } from './descendants';
import { isUnmerged } from './file-order';
import { plainGroup } from './search/space-groups';

/** Of a cell edge: beyond that phenix.refine stops with "Crystal symmetry mismatch between different files" (cctbx, uctbx.is_similar_to). */
const edgeTolerance = 0.01;
/** Degrees, as above. */
const angleTolerance = 1;

const isSameCell = (one: UnitCell, other: UnitCell): boolean =>
  one.every((value, index) => {
    const difference = Math.abs(value - (other[index] ?? value));
    return index < 3 ? difference <= edgeTolerance * value : difference <= angleTolerance;
  });

/** `P 43 21 2` and `P 4 2 2` have the same reflections in their asymmetric units: screw axes only extinguish some. */
const withoutScrews = (group: string): string => plainGroup(group.replace(/(?<=\s)([2346])[1-5](?=\s|$)/g, '$1'));

const isSamePointGroup = (one: string, other: string): boolean =>
  plainGroup(one) === plainGroup(other) || withoutScrews(one) === withoutScrews(other);

/**
 * Why two reflection files are not of the same crystal, so that the test set of one is none of the other; undefined where they are, by cell
 * (1 % and 1°) and point group, as far as both say them.
 */
export const otherCrystal = ({ facts: one }: SessionFile, { facts: other }: SessionFile): string | undefined => {
  if (one.cell === undefined || other.cell === undefined) return 'the cell of one of them is not known';
  if (!isSameCell(one.cell, other.cell)) return `the cells differ (${one.cell.join(' ')} and ${other.cell.join(' ')})`;
  const [first, second] = [one.spaceGroup, other.spaceGroup];
  if (first === undefined || second === undefined || isSamePointGroup(first, second)) return undefined;
  return `the space groups differ (${first} and ${second})`;
};

/** A submitted file that holds R-free flags and no observations; programs write flags beside their map coefficients. */
export const isFreeSetApart = (file: SessionFile): boolean =>
  file.cycle === 0 && file.facts.mtz?.freeFlag !== undefined && file.facts.assumed !== true && !isObservation(file);

/** Data that were read and have no flags of their own; of those that nobody could read it is not known. */
const lacksFreeSet = (file: SessionFile): boolean =>
  isObservation(file) && file.facts.assumed !== true && file.facts.mtz?.freeFlag === undefined && !isUnmerged(file);

/** The first file that gives its test set to these data: flags alone, of the same crystal. Undefined where the data have their own. */
export const freeSetFor = (data: SessionFile, files: readonly SessionFile[]): SessionFile | undefined =>
  lacksFreeSet(data) ? files.find((file) => isFreeSetApart(file) && otherCrystal(file, data) === undefined) : undefined;

/** As CCP4 and as PHENIX call the column of free flags; the former stands in files that both have written. */
const usualNames = ['freer_flag', 'r-free-flags'];

/** The columns of free flags, the one that counts first: `FreeR_flag`, then `R-free-flags`, then as the file has them. */
export const freeColumns = ({ freeFlag, otherFreeFlags = [] }: MtzFacts): readonly string[] => {
  const all = freeFlag === undefined ? [] : [freeFlag, ...otherFreeFlags];
  const rank = (label: string): number => {
    const at = usualNames.indexOf(label.toLowerCase());
    return at < 0 ? usualNames.length : at;
  };
  return all.toSorted((one, other) => rank(one) - rank(other));
};
