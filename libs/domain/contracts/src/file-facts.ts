/** What a file is, read from its content, never from its name alone. Lengths in Å, angles in degrees. */
export const fileFormats = [
  'mtz',
  'scalepack',
  'pdb',
  'mmcif-model',
  'mmcif-reflections',
  'restraints',
  'map',
  'sequence',
  'ncs-spec',
  'text',
  'unknown',
] as const;
export type FileFormat = (typeof fileFormats)[number];

/** a, b, c in Å, alpha, beta, gamma in degrees. */
export type UnitCell = readonly [number, number, number, number, number, number];

export interface MtzObservation {
  /** Column labels joined as programs take them, for example `FP,SIGFP`. */
  readonly labels: string;
  readonly kind: 'amplitude' | 'intensity';
  readonly anomalous: boolean;
}

export interface MtzFacts {
  readonly reflections: number;
  /** Å; 0 where nobody has read the file. */
  readonly highResolution: number;
  readonly lowResolution: number;
  readonly columns: readonly { readonly label: string; readonly type: string }[];
  readonly observations: readonly MtzObservation[];
  /** Label of the R-free flag column, if there is one. */
  readonly freeFlag?: string;
  /** Whoever has the file says that it has no R-free flags; of files that nobody here could read. */
  readonly withoutFreeFlag?: true;
  /**
   * Which reflections are free: the smallest hashes of their indices, hexadecimal and sorted, see `isSameFreeSet`. Absent where there is no
   * column or the file is too large.
   */
  readonly freeSet?: string;
  /** Labels of map-coefficient pairs, for example `FWT,PHWT`. */
  readonly mapCoefficients: readonly string[];
  /** Labels of experimental or model phases (PHIB, HLA...). */
  readonly phases: readonly string[];
}

export interface ModelFacts {
  readonly atoms: number;
  readonly chains: readonly string[];
  /** Polymer residues (protein or nucleic acid). */
  readonly polymerResidues: number;
  readonly waters: number;
  /** Residue names that are neither polymer, water nor a common ion, each once. */
  readonly ligandCodes: readonly string[];
  /** Residue names in the polymer that are none of the standard ones, each once; absent where there are none. */
  readonly modifiedResidues?: readonly string[];
  /** A predicted model (AlphaFold and the like): B column holds pLDDT, or the file says so. */
  readonly predicted: boolean;
  /** Mean of the B column. */
  readonly meanB: number;
  /** Its protein chains in one-letter code, each once; absent where there is none or it is long (10 000 letters). */
  readonly sequences?: readonly string[];
}

export interface MapFacts {
  /** Grid points along x, y, z. */
  readonly grid: readonly [number, number, number];
  readonly mode: number;
  /** Å per grid point along x. */
  readonly voxel: number;
}

export interface SequenceFacts {
  readonly chains: number;
  readonly residues: number;
  /** How many of the chains differ; a homodimer that is listed chain by chain has 1. */
  readonly distinct?: number;
  /** The different chains in one-letter code; absent where they are long (10 000 letters). */
  readonly sequences?: readonly string[];
}

export interface FileFacts {
  readonly format: FileFormat;
  /** True: guessed from the name, nobody could read the file. Counts then say only whether there is any (1) or none (0). */
  readonly assumed?: true;
  readonly cell?: UnitCell;
  readonly spaceGroup?: string;
  readonly mtz?: MtzFacts;
  readonly model?: ModelFacts;
  readonly map?: MapFacts;
  /** Component codes that a restraint dictionary defines. */
  readonly restraints?: { readonly codes: readonly string[] };
  readonly sequence?: SequenceFacts;
}

/** How a file is known again. A device number is no part of it: the same file server has another one on each computer. */
export interface FilePin {
  /** Number in its file system, as text: it can be larger than a number is exact. */
  readonly inode: string;
  /** Bytes. */
  readonly size: number;
  /** Time of its last change in nanoseconds since 1970, as text. */
  readonly modified: string;
  /** Of its content, in hexadecimal; absent where the file is too large to be read for it. */
  readonly sha256?: string;
}

/** A file of a session: submitted (`cycle` 0) or made by a cycle. */
export interface SessionFile {
  /** Absolute, resolved path. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly cycle: number;
  /** Program that wrote it; absent for submitted files. */
  readonly program?: string;
  /** The file that was accepted; absent in records of older releases, and of clients that keep their files. */
  readonly pin?: FilePin;
  readonly facts: FileFacts;
}
