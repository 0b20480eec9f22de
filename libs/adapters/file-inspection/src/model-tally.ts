import type { ModelFacts } from '@fleet/contracts';
import { bounds, shownCount } from './bounds';
import { differentChains, maxLetters } from './chain-sequences';
import { tooComplex, tooLong } from './complexity-faults';
import { aminoAcidLetters, aminoAcidNames, ionNames, nucleotideNames, waterNames } from './residue-names';

export interface AtomLine {
  readonly hetero: boolean;
  readonly atom: string;
  readonly residue: string;
  readonly chain: string;
  /** Number with insertion code. */
  readonly number: string;
  /** Å², or pLDDT in a prediction; not a number where the file has none. */
  readonly b: number;
}

/** Names kept of one residue; none has more atoms that matter here. */
const maxNames = 200;
/** Different B values that are told apart when a prediction is looked for. */
const maxValues = 1_000;
/** Letters that are held while a file is read. */
const keptLetters = 20 * maxLetters;
/** Residues at each end of a chain, which are the least certain of a prediction and have the highest B values of a structure. */
const endResidues = 5;
/** Of the scale of pLDDT: below a mean of half of it nothing of a prediction can be relied on, while B values in Å² are mostly lower. */
const minConfidence = 0.5;
/** Of the scale of pLDDT: by how much the ends of a prediction may be surer than the rest, as where it was trimmed. Our own limit. */
const surerEnds = 0.05;
/** No B value lies beyond, in Å²; what does is no number of a model. */
const largestB = 1e6;

interface Residue {
  readonly name: string;
  readonly chain: string;
  readonly number: string;
  hetero: boolean;
  readonly atoms: Set<string>;
  readonly bFirst: number;
  bConstant: boolean;
}

const isPolymer = ({ name, atoms, hetero }: Residue): boolean => {
  if (atoms.has('N') && atoms.has('CA') && atoms.has('C')) return true;
  if (aminoAcidNames.has(name)) return atoms.has('CA');
  if (nucleotideNames.has(name)) return atoms.has("C1'") || atoms.has('P') || atoms.has('C1*');
  return !hetero && atoms.has("C1'") && atoms.has("C3'");
};

const isStandard = ({ name }: Residue): boolean => aminoAcidNames.has(name) || nucleotideNames.has(name);

/** Mean of one value per residue, and of the residues at the ends of the chains. */
class ChainEnds {
  private sum = 0;
  private count = 0;
  private endSum = 0;
  private endCount = 0;
  private inChain = 0;
  private chain: string | undefined;
  private last: number[] = [];

  add(chain: string, value: number): void {
    if (chain !== this.chain) this.close();
    this.chain = chain;
    this.sum += value;
    this.count += 1;
    this.inChain += 1;
    if (this.inChain <= endResidues) this.addEnd(value);
    else this.last = [...this.last, value].slice(-endResidues);
  }

  means(): { readonly all: number; readonly ends: number } {
    this.close();
    return { all: this.sum / this.count, ends: this.endSum / this.endCount };
  }

  private addEnd(value: number): void {
    this.endSum += value;
    this.endCount += 1;
  }

  private close(): void {
    for (const value of this.last) this.addEnd(value);
    this.last = [];
    this.inChain = 0;
  }
}

/** Counts what a model holds, atom by atom, in bounded memory. */
export class ModelTally {
  private atoms = 0;
  private sumB = 0;
  private minB = Infinity;
  private maxB = -Infinity;
  private polymer = 0;
  private waters = 0;
  private constantResidues = 0;
  private severalAtoms = 0;
  private readonly values = new Set<number>();
  private readonly ends = new ChainEnds();
  private readonly chains = new Set<string>();
  private readonly ligands = new Set<string>();
  private readonly modified = new Set<string>();
  /** One letter for each residue of a protein, by chain. */
  private readonly letters = new Map<string, string[]>();
  private lettersKept = 0;
  private residue: Residue | undefined;

  constructor(private readonly path: string) {}

  /** @throws Fault `file.too_complex` */
  add(line: AtomLine): void {
    this.atoms += 1;
    if (Math.abs(line.b) <= largestB) {
      this.sumB += line.b;
      this.minB = Math.min(this.minB, line.b);
      this.maxB = Math.max(this.maxB, line.b);
    }
    this.keep(this.chains, line.chain, bounds.chains, 'chains');
    const residue = this.residueOf(line);
    if (residue.atoms.size < maxNames) residue.atoms.add(line.atom);
    if (line.b !== residue.bFirst) residue.bConstant = false;
  }

  /** @param saysPredicted what the header says, where it says something. */
  facts(saysPredicted: boolean | undefined): ModelFacts {
    this.close();
    const sequences = this.sequences();
    return {
      atoms: this.atoms,
      chains: [...this.chains],
      polymerResidues: this.polymer,
      waters: this.waters,
      ligandCodes: [...this.ligands],
      ...(this.modified.size === 0 ? {} : { modifiedResidues: [...this.modified] }),
      predicted: saysPredicted ?? this.looksPredicted(),
      meanB: this.atoms === 0 ? 0 : Number((this.sumB / this.atoms).toFixed(2)),
      ...(sequences === undefined ? {} : { sequences }),
    };
  }

  private keep(kept: Set<string>, name: string, most: number, what: string): void {
    if (name.length > bounds.name) throw tooLong(this.path, 'a name of a chain or residue');
    kept.add(name);
    if (kept.size <= most) return;
    const limit = `${shownCount(most)} ${what}`;
    throw tooComplex(this.path, `it has more than ${limit}`, `a model of at most ${limit}`);
  }

  private residueOf(line: AtomLine): Residue {
    const known = this.residue;
    if (known?.name === line.residue && known.number === line.number && known.chain === line.chain) return known;
    this.close();
    const { residue: name, chain, number, hetero, b } = line;
    this.residue = { name, chain, number, hetero, atoms: new Set(), bFirst: b, bConstant: true };
    return this.residue;
  }

  private close(): void {
    const { residue } = this;
    if (residue === undefined) return;
    this.residue = undefined;
    if (isPolymer(residue)) this.countPolymer(residue);
    else if (waterNames.has(residue.name)) this.waters += 1;
    // One atom alone is an ion or a heavy-atom site.
    else if (residue.atoms.size > 1 && !ionNames.has(residue.name)) {
      this.keep(this.ligands, residue.name, bounds.kinds, 'kinds of ligands');
    }
  }

  /** A symmetric assembly has many times as many letters as different chains; beyond that nobody searches with the file. */
  private sequences(): readonly string[] | undefined {
    if (this.lettersKept > keptLetters) return undefined;
    return differentChains([...this.letters.values()].map((chain) => chain.join('')));
  }

  private keepLetter({ name, chain, atoms }: Residue): void {
    const letter = aminoAcidLetters.get(name) ?? (atoms.has('CA') ? 'X' : undefined);
    if (letter === undefined || this.lettersKept > keptLetters) return;
    this.lettersKept += 1;
    const known = this.letters.get(chain);
    if (known === undefined) this.letters.set(chain, [letter]);
    else known.push(letter);
  }

  private countPolymer(residue: Residue): void {
    this.polymer += 1;
    this.keepLetter(residue);
    if (!isStandard(residue)) this.keep(this.modified, residue.name, bounds.kinds, 'kinds of modified residues');
    if (residue.atoms.size < 2) return;
    this.severalAtoms += 1;
    if (residue.bConstant) this.constantResidues += 1;
    this.ends.add(residue.chain, residue.bFirst);
    if (this.values.size < maxValues) this.values.add(residue.bFirst);
  }

  /**
   * The B column of a prediction holds pLDDT: within 0 to 100 (or 0 to 1), the same for all atoms of a residue, different between
   * residues, and nothing but polymer. B values of a whole residue look alike (a trimmed prediction, a domain that lost its cell), but are lower
   * on the whole and highest at the ends of chains, where pLDDT is lowest.
   */
  private looksPredicted(): boolean {
    return (
      this.severalAtoms >= 5 &&
      this.waters === 0 &&
      this.minB >= 0 &&
      this.maxB <= 100 &&
      this.values.size >= Math.min(5, this.severalAtoms) &&
      this.constantResidues >= 0.98 * this.severalAtoms &&
      this.isConfidence()
    );
  }

  private isConfidence(): boolean {
    const scale = this.maxB <= 1 ? 1 : 100;
    const { all, ends } = this.ends.means();
    return all >= minConfidence * scale && ends <= all + surerEnds * scale;
  }
}
