import type { UnitCell } from '@fleet/contracts';

const isCell = (values: readonly number[]): values is UnitCell => values.length >= 6;

/** Six numbers as a cell in Å and degrees, or undefined where they are none: missing, not positive, or the dummy 1 1 1 90 90 90. */
export const unitCellOf = (values: readonly number[]): UnitCell | undefined => {
  const six = values.slice(0, 6);
  if (!isCell(six) || six.some((value) => !Number.isFinite(value) || value <= 0)) return undefined;
  return six.slice(0, 3).every((edge) => edge <= 1) ? undefined : six;
};
