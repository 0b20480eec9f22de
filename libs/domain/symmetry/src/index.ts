/** Space groups and unit cells. Pure. */
export { hermannMauguin, spaceGroupOf, symbolAt } from './space-groups';
export { isNearCell, nearlyReducedCells, reducedCell, sameToPrograms, type CellTolerance } from './reduced-cell';
