import type { BatchResult, ResultOrder } from '@fleet/contracts/batches';

/** R-factors are better the smaller they are, correlations the larger. */
const badness = ({ session }: BatchResult): number => {
  const fit = session?.fit;
  if (fit === undefined) return Infinity;
  return fit.metric.startsWith('r_') ? fit.value : 1 - fit.value;
};

/** Ligands that the model holds come first, then by the correlation of the fit, which every fit has; an omit map is made of the good ones alone. */
const doubt = ({ session }: BatchResult): number => {
  const ligand = session?.ligand;
  return ligand === undefined ? Infinity : (ligand.inModel ? 0 : 2) + 1 - (ligand.cc ?? -1);
};

/** Of the data that were fitted; before that of those that were submitted. In Å. */
export const resolutionOf = ({ session }: BatchResult): number | undefined =>
  session?.fit?.resolution ?? session?.resolution;

const keys: Readonly<Record<ResultOrder, (result: BatchResult) => number>> = {
  row: ({ row }) => row,
  fit: badness,
  resolution: (result) => resolutionOf(result) ?? Infinity,
  ligand: doubt,
};

/** Which of two results comes first: the better one. */
export const byOrder =
  (order: ResultOrder) =>
  (one: BatchResult, other: BatchResult): number => {
    const [a, b] = [keys[order](one), keys[order](other)];
    return a === b ? one.row - other.row : a - b;
  };
