import { UnitCell } from 'uglymol';
import type { Density } from './density';

/** The cell of a map, with its ways between Å and fractions. */
export const cellOf = ({ cell }: Pick<Density, 'cell'>): UnitCell => {
  const [a = 1, b = 1, c = 1, alpha = 90, beta = 90, gamma = 90] = cell;
  return new UnitCell(a, b, c, alpha, beta, gamma);
};
