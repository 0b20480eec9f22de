/**
 * What the readers of text formats go up to. Each bound lies far above what real files hold; a file beyond one is refused with the bound
 * in the words, for what is left out in silence would be a wrong count.
 */
export const bounds = {
  /** Characters. Sequences on one line are the longest lines that make sense: the largest known protein has 36,000 residues. */
  line: 262_144,
  /** Bytes; a model of this size holds about 1,600,000 atoms. */
  model: 128 * 1_048_576,
  /** Bytes. */
  sequence: 4 * 1_048_576,
  /** Data names of one CIF loop; `_atom_site` has about 100 in the dictionary. */
  tags: 1_000,
  /** Characters of a name that is kept: chain, residue, component, data name, space group. */
  name: 128,
  /** Chains of a model or a sequence; the largest entry of the PDB has about 1,400. */
  chains: 2_000,
  /** Kinds of residues that are neither standard nor water, and components of a dictionary. */
  kinds: 1_000,
  /** Header records of an MTZ file; a list of 100,000 batches takes 8,400. */
  mtzRecords: 20_000,
  /** Bytes of reflections that are read for the free set of an MTZ file; 1.6 million reflections with 40 columns. */
  freeSetBytes: 256 * 1_048_576,
  /** Reflections times symmetry operations that are gone through for it: about a second. */
  freeSetSteps: 40_000_000,
  /** Columns of an MTZ file; the CCP4 library allows 200. */
  mtzColumns: 1_000,
} as const;

/** With a comma between thousands. */
export const shownCount = (count: number): string => count.toLocaleString('en-US');
