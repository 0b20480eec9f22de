import type { SessionFile } from '@fleet/contracts/sessions';
import { sequenceContent } from './sequence-content';

/** Bases and the letter for any of them; a protein of nothing else is as good as unknown. */
const bases = /^[ACGTUN]+$/;
/** Shorter chains are not decided: a peptide of four such residues is possible. */
const shortest = 5;

const isNucleic = (chain: string): boolean => chain.length >= shortest && bases.test(chain);

const nameOf = (chain: string): string => {
  if (chain.includes('U')) return 'RNA';
  return chain.includes('T') ? 'DNA' : 'DNA or RNA';
};

interface NucleicAcids {
  /** Each kind with its length, for example `RNA (76 residues)`; empty for none. */
  readonly named: string;
  /** Some chain is a protein, or is too short to tell. */
  readonly protein: boolean;
}

/** What the submitted sequences hold of DNA and RNA, by their letters alone; undefined where no chain is known. */
export const nucleicAcidsOf = (sequences: readonly SessionFile[]): NucleicAcids | undefined => {
  const chains = sequenceContent(sequences).files.flatMap(({ facts: { sequence } }) => sequence?.sequences ?? []);
  if (chains.length === 0) return undefined;
  const named = chains.filter(isNucleic).map((chain) => `${nameOf(chain)} (${chain.length} residues)`);
  return { named: [...new Set(named)].join(' and '), protein: !chains.every(isNucleic) };
};
