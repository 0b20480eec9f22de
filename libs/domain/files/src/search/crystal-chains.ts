/** What the submitted sequence files say about the crystal. */
export interface CrystalChains {
  /** Its chains in one-letter code, as far as they are known. */
  readonly chains: readonly string[];
  /** Names of the sequence files without their endings: `beta.pdb` beside `beta.seq` is the model of that chain. */
  readonly stems: ReadonlySet<string>;
}
