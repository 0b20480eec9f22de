import type { MtzFacts } from '@fleet/contracts/sessions';

/** Amplitudes, intensities, those of Friedel mates, and anomalous differences, as MTZ marks their columns (CCP4 `mtzformat`). */
const dataTypes: ReadonlySet<string> = new Set(['F', 'J', 'G', 'K', 'D']);

/** Columns of measurements in which nothing was measured. */
export const emptyColumns = ({ columns, withoutValues = [] }: MtzFacts): MtzFacts['columns'] =>
  columns.filter(({ label, type }) => dataTypes.has(type) && withoutValues.includes(label));
