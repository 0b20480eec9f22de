import { matchesOf } from './compile-words';
import { spanOf, type Span } from './spans';

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
  /\b(?:ligand|residue|component|inhibitor|cofactor|compound) ([A-Z0-9]{1,3})\b|\b([A-Z0-9]{2,3}) (?:ligand|molecule|inhibitor|cofactor|compound)\b|\b([A-Z][A-Z0-9]{1,2}) (?:[A-Z][ /]?)?\d{1,4}\b/g;
const aminoAcid = /\b(Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val)[ -]?(\d{1,4})\b/;
const residues = /\bresidues? (?:number |no\.? )?([A-Z][ /:]?)?(\d{1,4})(?: ?(?:-|–|to|through) ?(\d{1,4}))?\b/i;
const chains = /\bchains? ([A-Za-z0-9]{1,2})(?:(?:,? and |, ?| or )([A-Z0-9]))?(?![\w'])/;
/** "Polder of chain B", and not "of the ligand in chain B". */
const wholeChain = /\b(?:of|for|around|on|omit(?:ting)?|map|polder) (?:the )?(?:whole |entire )?chains? [A-Za-z0-9]/i;

/** A selection, and where its words stand. */
export interface NamedAtoms {
  readonly selection: string;
  readonly spans: readonly Span[];
}

const codeIn = (words: string): { readonly code: string; readonly span: Span } | undefined =>
  matchesOf(codeBeside, words)
    .map((match) => ({ code: match[1] ?? match[2] ?? match[3] ?? '', span: spanOf(match) }))
    .find(({ code }) => code !== '' && !noCodes.has(code) && /[A-Z]/.test(code));

/**
 * The atoms that words name, as a selection: `resname MES and resseq 100 and chain B` of "the MES ligand in chain B residue 100",
 * `chain B` of "a polder map of chain B". Component codes count in capitals alone; undefined where no atoms are named.
 */
export const selectionOf = (words: string): NamedAtoms | undefined => {
  const residue = residues.exec(words);
  // "Residue A55" is one of chain A.
  const component = residue?.[1] === undefined ? codeIn(words) : undefined;
  const numbered =
    component === undefined ? null : new RegExp(`\\b${component.code} (?:([A-Z])[ /]?)?(\\d{1,4})\\b`).exec(words);
  const acid = aminoAcid.exec(words);
  const chain = chains.exec(words);
  const [, , first, last] = residue ?? [];
  const number = first ?? numbered?.[2] ?? acid?.[2];
  const code = component?.code ?? acid?.[1]?.toUpperCase();
  if (code === undefined && number === undefined && !wholeChain.test(words)) return undefined;
  const one = chain?.[1] ?? numbered?.[1] ?? residue?.[1]?.replace(/[ /:]/, '');
  const parts = [
    code === undefined ? undefined : `resname ${code}`,
    number === undefined ? undefined : `resseq ${number}${last === undefined ? '' : `:${last}`}`,
    one === undefined ? undefined : chain?.[2] === undefined ? `chain ${one}` : `(chain ${one} or chain ${chain[2]})`,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  const found = [numbered, residue, acid, chain].filter((match) => match !== null).map(spanOf);
  return { selection: parts.join(' and '), spans: component === undefined ? found : [component.span, ...found] };
};
