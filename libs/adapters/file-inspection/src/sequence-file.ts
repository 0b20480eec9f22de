import type { FileFacts } from '@fleet/contracts';
import { bounds, shownCount } from './bounds';
import { differentChains } from './chain-sequences';
import { tooComplex, tooLarge } from './complexity-faults';
import type { FileSource } from './file-source';
import { scanLines } from './line-scan';

const residues = /^[A-Za-z*\-\s]*$/;

/** Chains as they are read, letters alone. */
class ChainTally {
  private readonly chains: string[][] = [];

  constructor(private readonly source: FileSource) {}

  open(): void {
    this.chains.push([]);
    if (this.chains.length <= bounds.chains) return;
    const most = `${shownCount(bounds.chains)} chains`;
    throw tooComplex(this.source.path, `it has more than ${most}`, `sequences of at most ${most}`);
  }

  add(line: string): void {
    if (this.chains.length === 0) this.open();
    this.chains.at(-1)?.push(line.replaceAll(/[^A-Za-z]/g, '').toUpperCase());
  }

  /** Undefined where there is no residue. */
  facts(): FileFacts | undefined {
    const texts = this.chains.map((lines) => lines.join(''));
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    const distinct = new Set(texts.filter((text) => text !== '')).size;
    if (length === 0) return undefined;
    if (this.source.size > bounds.sequence) throw tooLarge(this.source.path, 'sequence', bounds.sequence);
    const sequences = differentChains(texts);
    const counted = { chains: this.chains.length, residues: length, distinct };
    return { format: 'sequence', sequence: { ...counted, ...(sequences === undefined ? {} : { sequences }) } };
  }
}

/**
 * FASTA and PIR begin each chain with `>`; a PIR entry (`>P1;`) has a title line below it.
 * @throws Fault `file.too_complex`
 */
export const inspectFasta = async (source: FileSource): Promise<FileFacts | undefined> => {
  const tally = new ChainTally(source);
  let [titleLine, foreign] = [false, false];
  await scanLines(source, bounds.sequence, (line) => {
    if (line.startsWith('>')) {
      tally.open();
      titleLine = /^>[A-Za-z][A-Za-z0-9];/.test(line);
    } else if (titleLine) titleLine = false;
    else if (!line.startsWith(';')) {
      foreign ||= !residues.test(line);
      tally.add(line);
    }
    return !foreign;
  });
  return foreign ? undefined : tally.facts();
};

/** A file of letters alone: chains are separated by blank lines. Asked only of files whose names end as sequences do. */
export const inspectPlainSequence = async (source: FileSource): Promise<FileFacts | undefined> => {
  const tally = new ChainTally(source);
  let [open, foreign] = [false, false];
  await scanLines(source, bounds.sequence, (line) => {
    const hasLetters = /[A-Za-z]/.test(line);
    foreign ||= !residues.test(line);
    if (hasLetters && !open) tally.open();
    open = hasLetters;
    if (hasLetters) tally.add(line);
    return !foreign;
  });
  return foreign ? undefined : tally.facts();
};
