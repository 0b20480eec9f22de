import type { BatchResult, ResultOrder } from '@fleet/contracts/batches';

/** For R-factors smaller is better, for correlations larger. */
const badness = ({ session }: BatchResult): number => {
  const fit = session?.fit;
  if (fit === undefined) return Infinity;
  return fit.metric.startsWith('r_') ? fit.value : 1 - fit.value;
};

/** Ligands in the model come first, then by the correlation of the fit, which every fit has; only good ones have an omit map. */
const doubt = ({ session }: BatchResult): number => {
  const ligand = session?.ligand;
  return ligand === undefined ? Infinity : (ligand.inModel ? 0 : 2) + 1 - (ligand.cc ?? -1);
};

/** Of the refined data; before a refinement of the submitted data. In Å. */
export const resolutionOf = ({ session }: BatchResult): number | undefined =>
  session?.fit?.resolution ?? session?.resolution;

const keys: Readonly<Record<ResultOrder, (result: BatchResult) => number>> = {
  row: ({ row }) => row,
  fit: badness,
  resolution: (result) => resolutionOf(result) ?? Infinity,
  ligand: doubt,
};

/** Compares two results: the better one comes first. */
export const byOrder =
  (order: ResultOrder) =>
  (one: BatchResult, other: BatchResult): number => {
    const [a, b] = [keys[order](one), keys[order](other)];
    return a === b ? one.row - other.row : a - b;
  };
