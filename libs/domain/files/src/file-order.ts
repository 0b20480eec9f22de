import type { SessionFile } from '@fleet/contracts/sessions';
import { groupBy } from './group-by';
import { newerOfSeries, seriesOf } from './file-series';

/** A run often writes its model as PDB and as mmCIF; every program accepts PDB. */
const formatRank = ({ facts }: SessionFile): number => (facts.format === 'mmcif-model' ? 1 : 0);

/** Programs need one value of each reflection, and merging needs the judgement of the experimenter. */
export const isUnmerged = ({ facts: { format, mtz } }: SessionFile): boolean =>
  mtz === undefined ? format === 'xds-ascii' : mtz.unmerged === true;

/** Unmerged data as they were integrated: no program here can scale them. */
export const isUnscaled = ({ facts: { mtz } }: SessionFile): boolean => mtz?.unscaled === true;

/** Newest cycle first; of one cycle merged data before unmerged, and a PDB file before mmCIF; otherwise as given. */
const newestFirst = (one: SessionFile, other: SessionFile): number =>
  other.cycle - one.cycle || Number(isUnmerged(one)) - Number(isUnmerged(other)) || formatRank(one) - formatRank(other);

/**
 * The default order of files: as `newestFirst`, and within each submitted numbered series the highest number first, at the positions of its
 * members.
 */
export const inOrder = (files: readonly SessionFile[]): readonly SessionFile[] => {
  const sorted = files.toSorted(newestFirst);
  const keyOf = (file: SessionFile): string | undefined => seriesOf(file)?.name;
  const series = new Map(
    [...groupBy(sorted, keyOf)].map(([name, members]) => [name, members.toSorted(newerOfSeries).values()]),
  );
  return sorted.map((file) => (keyOf(file) === undefined ? file : (series.get(keyOf(file))?.next().value ?? file)));
};
