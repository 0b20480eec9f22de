import type { Torsion } from './ramachandran';
import type { ResidueB } from './residue-b';

/** A model that is to be measured. */
export interface ModelRequest {
  readonly text: string;
  /** As the record names it: `pdb`, `mmcif-model`. */
  readonly format: string;
}

/** What its coordinates say. */
export interface Measured {
  readonly residues: readonly ResidueB[];
  readonly torsions: readonly Torsion[];
}

/** Its outcome, or a problem in a sentence. */
export type ModelAnswer = { readonly measured: Measured } | { readonly problem: string };
