import type { SessionFile } from '@fleet/contracts/sessions';
import { sequenceContent } from './sequence-content';

/** Bases and the letter for any of them; a protein of only these residues is unlikely. */
const bases = /^[ACGTUN]+$/;
/** Shorter chains are ambiguous: a peptide of four such residues is possible. */
const shortest = 5;

const isNucleic = (chain: string): boolean => chain.length >= shortest && bases.test(chain);

const nameOf = (chain: string): string => {
  if (chain.includes('U')) return 'RNA';
  return chain.includes('T') ? 'DNA' : 'DNA or RNA';
};

interface NucleicAcids {
  /** Each kind with its length, for example `RNA (76 residues)`; empty for none. */
  readonly named: string;
  /** A chain is a protein, or is too short to decide. */
  readonly protein: boolean;
}

/** DNA and RNA in the submitted sequences, by their letters; undefined if no chain is known. */
export const nucleicAcidsOf = (sequences: readonly SessionFile[]): NucleicAcids | undefined => {
  const chains = sequenceContent(sequences).files.flatMap(({ facts: { sequence } }) => sequence?.sequences ?? []);
  if (chains.length === 0) return undefined;
  const named = chains.filter(isNucleic).map((chain) => `${nameOf(chain)} (${chain.length} residues)`);
  return { named: [...new Set(named)].join(' and '), protein: !chains.every(isNucleic) };
};
