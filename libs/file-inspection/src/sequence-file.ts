import type { FileFacts } from '@fleet/contracts';
import type { FileSource } from './file-source';
import { scanLines } from './line-scan';

/** Bytes; the largest known protein has 36,000 residues. */
const longestSequence = 4 * 1_048_576;
const residues = /^[A-Za-z*\-\s]*$/;

/** Chains as they are read, letters alone. */
class ChainTally {
  private readonly chains: string[][] = [];

  open(): void {
    this.chains.push([]);
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
    return length === 0
      ? undefined
      : { format: 'sequence', sequence: { chains: this.chains.length, residues: length, distinct } };
  }
}

/** FASTA and PIR begin each chain with `>`; a PIR entry (`>P1;`) has a title line below it. */
export const inspectFasta = async (source: FileSource): Promise<FileFacts | undefined> => {
  const tally = new ChainTally();
  let [titleLine, foreign] = [false, false];
  await scanLines(source, longestSequence, (line) => {
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
  const tally = new ChainTally();
  let [open, foreign] = [false, false];
  await scanLines(source, longestSequence, (line) => {
    const hasLetters = /[A-Za-z]/.test(line);
    foreign ||= !residues.test(line);
    if (hasLetters && !open) tally.open();
    open = hasLetters;
    if (hasLetters) tally.add(line);
    return !foreign;
  });
  return foreign ? undefined : tally.facts();
};
