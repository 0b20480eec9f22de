import type { Sentence } from './sentences';

/** Words in capitals that are no component codes. */
const noCodes = new Set([
  'MR',
  'SAD',
  'MAD',
  'PDB',
  'MTZ',
  'CIF',
  'TLS',
  'NCS',
  'DNA',
  'RNA',
  'ADP',
  'ASU',
  'AU',
  'EM',
  'CC',
  'THE',
  'AND',
  'RSR',
  'OMIT',
  'MAP',
  'I',
  'A',
  'R',
]);

const codeBeside =
  /\b(?:ligand|residue|component|inhibitor|cofactor|compound) ([A-Z0-9]{1,3})\b|\b([A-Z0-9]{2,3}) (?:ligand|molecule|inhibitor|cofactor|compound)\b|\b([A-Z][A-Z0-9]{1,2}) \d{1,4}\b/g;

const codeOf = (words: string): string | undefined =>
  [...words.matchAll(codeBeside)]
    .map(([, after, before, numbered]) => after ?? before ?? numbered)
    .find((code) => code !== undefined && !noCodes.has(code) && /[A-Z]/.test(code));

/**
 * The atoms that a sentence names, as a selection: `resname MES and resseq 100 and chain B` of "the MES ligand in chain B residue 100".
 * Component codes count in capitals alone.
 */
export const selectionOf = ({ words }: Sentence): string | undefined => {
  const code = codeOf(words);
  const numbered = code === undefined ? undefined : new RegExp(`\\b${code} (\\d{1,4})\\b`).exec(words);
  const residue = (/\bresid(?:ue)? (?:number )?(\d{1,4})\b/i.exec(words) ?? numbered)?.[1];
  const chain = /\bchain ([A-Za-z0-9]{1,2})\b/.exec(words)?.[1];
  if (code === undefined && residue === undefined) return undefined;
  const named = [
    ['resname', code],
    ['resseq', residue],
    ['chain', chain],
  ] as const;
  return named.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`])).join(' and ');
};
