/** Space groups and unit cells. Pure. */
export { hermannMauguin, spaceGroupOf, symbolAt } from './space-groups';
export { nearlyReducedCells, reducedCell, type CellTolerance } from './reduced-cell';
