import type { FileFacts } from '@fleet/contracts';
import type { FileSource } from './file-source';
import { scanLines } from './line-scan';

/** Bytes; the largest known protein has 36,000 residues. */
const longestSequence = 4 * 1_048_576;
const residues = /^[A-Za-z*\-\s]*$/;

/** FASTA and PIR begin each chain with `>`; a PIR entry (`>P1;`) has a title line below it. */
export const inspectFasta = async (source: FileSource): Promise<FileFacts | undefined> => {
  let [chains, length, titleLine, foreign] = [0, 0, false, false];
  await scanLines(source, longestSequence, (line) => {
    if (line.startsWith('>')) [chains, titleLine] = [chains + 1, /^>[A-Za-z][A-Za-z0-9];/.test(line)];
    else if (titleLine) titleLine = false;
    else if (!line.startsWith(';')) {
      foreign ||= !residues.test(line);
      length += line.replaceAll(/[^A-Za-z]/g, '').length;
    }
    return !foreign;
  });
  return foreign || length === 0 ? undefined : { format: 'sequence', sequence: { chains, residues: length } };
};

/** A file of letters alone: chains are separated by blank lines. Asked only of files whose names end as sequences do. */
export const inspectPlainSequence = async (source: FileSource): Promise<FileFacts | undefined> => {
  let [chains, length, open, foreign] = [0, 0, false, false];
  await scanLines(source, longestSequence, (line) => {
    const letters = line.replaceAll(/[^A-Za-z]/g, '').length;
    foreign ||= !residues.test(line);
    if (letters > 0 && !open) chains += 1;
    open = letters > 0;
    length += letters;
    return !foreign;
  });
  return foreign || length === 0 ? undefined : { format: 'sequence', sequence: { chains, residues: length } };
};
