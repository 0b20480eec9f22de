import type { SessionFile } from '@fleet/contracts';

/** A run often leaves its model as PDB and as mmCIF; every program takes PDB. */
const formatRank = ({ facts }: SessionFile): number => (facts.format === 'mmcif-model' ? 1 : 0);

/** Newest cycle first; of one cycle a PDB file before mmCIF, else as given. */
export const newestFirst = (one: SessionFile, other: SessionFile): number =>
  other.cycle - one.cycle || formatRank(one) - formatRank(other);
