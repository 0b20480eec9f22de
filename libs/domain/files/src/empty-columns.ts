import type { MtzFacts } from '@fleet/contracts/sessions';

/** Column types of amplitudes, intensities, those of Friedel mates, and anomalous differences in MTZ (CCP4 `mtzformat`). */
const dataTypes: ReadonlySet<string> = new Set(['F', 'J', 'G', 'K', 'D']);

/** Data columns without any value. */
export const emptyColumns = ({ columns, withoutValues = [] }: MtzFacts): MtzFacts['columns'] =>
  columns.filter(({ label, type }) => dataTypes.has(type) && withoutValues.includes(label));
