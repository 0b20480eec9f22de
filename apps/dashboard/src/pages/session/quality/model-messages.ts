import type { Torsion } from './ramachandran';
import type { ResidueB } from './residue-b';

/** A model to measure. */
export interface ModelRequest {
  readonly text: string;
  /** Format in the record: `pdb`, `mmcif-model`. */
  readonly format: string;
}

/** Measurements of its coordinates. */
export interface Measured {
  readonly residues: readonly ResidueB[];
  readonly torsions: readonly Torsion[];
}

/** The measurements, or a problem as a sentence. */
export type ModelAnswer = { readonly measured: Measured } | { readonly problem: string };
