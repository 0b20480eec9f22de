import type { Action } from './sentence-reader';
import { matchesIn, matchesOf, type AdviceWords } from './compile-words';
import type { Sentence } from './sentences';
import { spanOf, type Span } from './spans';

/** Words in capitals that are not component codes. */
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
  /\b(?:ligand|residue|resname|component|inhibitor|cofactor|compound) ([A-Z0-9]{1,3})\b|\b([A-Z0-9]{2,3}) (?:ligand|molecule|inhibitor|cofactor|compound)\b|\b([A-Z][A-Z0-9]{1,2}) (?:[A-Z][ /]?)?\d{1,4}\b|\b(?:for|of|around) (?:the )?([A-Z][A-Z0-9]{2})\b(?! (?:and|or) [A-Z])/g;
const aminoAcid = /\b(Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val)[ -]?(\d{1,4})\b/;
const residues =
  /\b(?:residues?|resseq|resid|at position) (?:number |no\.? )?([A-Z][ /:]?)?(\d{1,4})(?: ?(?:-|–|:|to|through) ?(\d{1,4}))?\b/i;
const chains = /\bchains? ([A-Za-z0-9]{1,2})(?:(?:,? and |, ?| or )([A-Z0-9]))?(?![\w'])/;
/** In PHENIX syntax, with more than a chain, a residue and a component. */
const selectionText =
  /\b(?:chain|resname|resseq|resid) [\w:]+(?: and (?:not )?(?:chain|resname|resseq|resid|name|element) [\w:]+)* and (?:not |name |element )[\w: ]*[\w:](?=[,;.]|$)/i;
/** "Polder of chain B", but not "of the ligand in chain B". */
const wholeChain = /\b(?:of|for|around|on|omit(?:ting)?|map|polder) (?:the )?(?:whole |entire )?chains? [A-Za-z0-9]/i;

/** A selection, and the position of its words. */
export interface NamedAtoms {
  readonly selection: string;
  readonly spans: readonly Span[];
}

const codeIn = (words: string): { readonly code: string; readonly span: Span } | undefined =>
  matchesOf(codeBeside, words)
    .map((match) => ({ code: match[1] ?? match[2] ?? match[3] ?? match[4] ?? '', span: spanOf(match) }))
    .find(({ code }) => code !== '' && !noCodes.has(code) && /[A-Z]/.test(code));

interface Named extends Span {
  readonly code?: string | undefined;
  readonly first?: string | undefined;
  readonly last?: string | undefined;
  readonly chains?: readonly string[];
}

const named = (
  match: RegExpExecArray | null,
  parts: (match: RegExpExecArray) => Omit<Named, keyof Span>,
): readonly Named[] => (match === null ? [] : [{ ...spanOf(match), ...parts(match) }]);

const chainsOf = (...names: readonly (string | undefined)[]): readonly string[] =>
  names.flatMap((name) => name?.replace(/[ /:]/g, '') ?? []);

/** Names in a text, the most specific first. */
const namedIn = (words: string): readonly Named[] => {
  const residue = residues.exec(words);
  // "Residue A55" is in chain A.
  const component = residue?.[1] === undefined ? codeIn(words) : undefined;
  const numbered =
    component === undefined ? null : new RegExp(`\\b${component.code} (?:([A-Z])[ /]?)?(\\d{1,4})\\b`).exec(words);
  return [
    ...named(chains.exec(words), ([, one, other]) => ({ chains: chainsOf(one, other) })),
    ...named(residue, ([, chain, first, last]) => ({ first, last, chains: chainsOf(chain) })),
    ...(component === undefined ? [] : [{ ...component.span, code: component.code }]),
    ...named(numbered, ([, chain, first]) => ({ first, chains: chainsOf(chain) })),
    ...named(aminoAcid.exec(words), ([, code = '', first]) => ({ code: code.toUpperCase(), first })),
  ];
};

const chainText = ([one, other]: readonly string[]): string =>
  other === undefined ? `chain ${String(one)}` : `(chain ${String(one)} or chain ${other})`;

const numberText = ({ first = '', last }: Named): string => `resseq ${first}${last === undefined ? '' : `:${last}`}`;

/**
 * The atoms that words name, as a selection: `resname MES and resseq 100 and chain B` for "the MES ligand in chain B residue 100",
 * `chain B` for "a polder map of chain B". Component codes must be in capitals; undefined if no atoms are named.
 */
const selectionOf = (words: string): NamedAtoms | undefined => {
  const whole = selectionText.exec(words);
  if (whole !== null) return { selection: whole[0], spans: [spanOf(whole)] };
  const found = namedIn(words);
  const component = found.find(({ code }) => code !== undefined);
  const number = found.find(({ first }) => first !== undefined);
  if (component === undefined && number === undefined && !wholeChain.test(words)) return undefined;
  const parts = [
    ...[component?.code ?? []].flat().map((code) => `resname ${code}`),
    ...(number === undefined ? [] : [numberText(number)]),
    ...found
      .filter(({ chains: all = [] }) => all.length > 0)
      .slice(0, 1)
      .map(({ chains: all = [] }) => chainText(all)),
  ];
  return parts.length === 0 ? undefined : { selection: parts.join(' and '), spans: found };
};

/** The atoms of a requested omit map: named after it up to the next clause, or before it. */
export const atomsOfOmitMap = (
  sentence: Sentence,
  actions: readonly Action[],
  { knowledge, fieldVerbs }: AdviceWords,
): NamedAtoms | undefined => {
  const { words, plain } = sentence;
  const { program } = knowledge.meant.omit_map;
  const map = actions.find((one) => one.program === program && (one.mode === 'run' || one.mode === 'prefer'));
  if (map === undefined) return undefined;
  const next = matchesIn(fieldVerbs, sentence).find(
    ({ index }) => index >= map.end && /\b(?:and|then|,) ?$/.test(plain.slice(0, index)),
  );
  const behind = ' '.repeat(map.start) + words.slice(map.start, next?.index ?? words.length);
  return selectionOf(behind) ?? selectionOf(words.slice(0, map.start));
};
