/** The crystal according to the submitted sequence files. */
export interface CrystalChains {
  /** Its known chains in one-letter code. */
  readonly chains: readonly string[];
  /** Names of the sequence files without extension: `beta.pdb` beside `beta.seq` is the model of that chain. */
  readonly stems: ReadonlySet<string>;
}
