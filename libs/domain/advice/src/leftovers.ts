import { matchesIn, matchesOf, type AdviceWords, type WordPattern } from './compile-words';
import type { UnfollowedWords } from './reading';
import type { Sentence } from './sentences';
import { spaceGroupOf } from '@fleet/symmetry';
import { overlap, spanOf, type Span } from './spans';

/** A significant part of a sentence that has not been used. */
export interface Leftover extends Span {
  readonly of: 'figure' | 'program' | 'file' | 'space group' | 'noun' | 'verb' | 'clause' | 'thing';
}

const why: Readonly<Record<Leftover['of'], string>> = {
  figure: 'no rule reads this figure where it stands',
  program: 'the program is named, and nothing follows from it',
  file: 'the file is named, and nothing follows from it',
  'space group': 'no rule reads this space group where it stands',
  noun: 'no rule follows these words',
  verb: 'no rule follows these words',
  clause: 'no rule follows these words',
  thing: 'no rule follows these words',
};

/** Numbers with their units; not those inside names ("I04", "1abc"). */
const figure =
  /(?<![\w.,/]|[a-z]-)-?\d+(?:[.,]\d+)*(?: ?(?:å|a|ang|angstroms?|ångströms?|kev|ev|%)(?![a-zåö]))?(?![\w/])/g;
/** Symbols in the usual form, with capitals. */
const symbol = /(?<![\w-])[PCIFRH](?: ?(?:[1-6](?:[_~]?[1-5]|\([1-5]\))?)){2,4}(?![\w(])/g;
/** In a text about space groups or of what was done in one, P2 counts too. */
const ofSymmetry = /\b(?:in|instead of|rather than|as|not) $/i;
/** "Two molecules, C2, 2.2 Å". */
const listedBefore = /(?:^|[,;:] )$/;
const listedBehind = /^ ?(?:[,;.]|$)/;
const shortSymbol = /(?<![\w-])[PCIFRH](?: ?(?:[1-6](?:[_~]?[1-5]|\([1-5]\))?)){1,4}(?![\w(])/g;
/** Chemical symbols that no word looks like: "Zn and 2 copies". */
const chemical =
  /(?<![A-Za-z\d])(?:Se|Zn|Fe|Hg|Au|Pt|Pb|Br|Ca|Mn|Mg|Cu|Ni|Co|Gd|Sm|Yb|Cd|Ta|Os|Ir|Xe|Kr|Cs)(?![A-Za-z\d])/g;
/** Names of parameters or their choices: "refine with minimization_global". */
const identifier = /(?<![\w./-])[A-Za-z]+(?:_[A-Za-z\d]+)+(?![\w/-])/g;
/** Column labels, as they stand in data files: "FP,SIGFP". */
const labels = /(?<![\w,])(?:[A-Z][A-Z\d()+_-]*(?:,[A-Z][A-Z\d()+_-]*)+|(?:[A-Z][\w()+-]*,)?SIG[A-Z][\w()+-]*)(?!\w)/g;
/** Entries of the Protein Data Bank: "with 1ABC as the model". */
const entry = /(?<![\w.,-])[1-9](?=[A-Z\d]*[A-Z])[A-Z\d]{3}(?![\w-])/g;
/** "keywords.sgalternative=all". */
const assigned = /(?<!\w)[A-Za-z]\w{2,}\s?=\s?[^\s,;]+/g;
/** Programs by their full names, also those that this service does not run. */
const programName = /(?<![\w.])phenix\.[a-z]\w+/gi;
/** "k,h,-l". */
const operator = /(?<![\w,])-?[hkl](?:[+-][hkl])?(?:, ?-?[hkl](?:[+-][hkl])?){2}(?![\w,])/gi;
/** A clause begins at the start of the sentence, and after these. */
const head = /(?:^|[,;:] |\b(?:and|then|also|please|but|or|not|never|to) |n't )$/;
/** End of a phrase. */
const phraseEnd = /, |[;:)]|\b(?:and|but|then|or)\b|[.!?](?= |$)/;

/** Space groups that a text names. */
export const symbolsIn = (written: string): readonly Span[] => {
  const areAll = /space[ -]?group|\bcell\b/i.test(written) || matchesOf(symbol, written).length > 0;
  return matchesOf(shortSymbol, written)
    .map(spanOf)
    .filter(({ start, end }) => {
      const before = written.slice(Math.max(0, start - 12), start);
      const isListed = listedBefore.test(before) && listedBehind.test(written.slice(end, end + 2));
      return areAll || isListed || ofSymmetry.test(before);
    })
    .filter(({ start, end }) => spaceGroupOf(written.slice(start, end)) !== undefined);
};

/** All parts of a sentence that must be used or reported as unused. */
const tokensOf = (sentence: Sentence, words: AdviceWords, programs: readonly Span[]): readonly Leftover[] => {
  const { plain, words: written, files } = sentence;
  const found = (of: Leftover['of'], pattern: WordPattern): readonly Leftover[] =>
    matchesIn(pattern, sentence).map((match) => ({ ...spanOf(match), of }));
  return [
    ...files.map(({ start, end }): Leftover => ({ start, end, of: 'file' })),
    ...symbolsIn(written).map((span): Leftover => ({ ...span, of: 'space group' })),
    ...programs.map(({ start, end }): Leftover => ({ start, end, of: 'program' })),
    ...matchesOf(programName, written).map((match): Leftover => ({ ...spanOf(match), of: 'program' })),
    ...found('figure', words.counted),
    ...matchesOf(figure, plain).map((match): Leftover => ({ ...spanOf(match), of: 'figure' })),
    ...found('noun', words.fieldNouns),
    ...[chemical, labels, operator, identifier, entry, assigned].flatMap((pattern) =>
      matchesOf(pattern, written).map((match): Leftover => ({ ...spanOf(match), of: 'noun' })),
    ),
    ...found('verb', words.fieldVerbs).filter(({ start }) => head.test(plain.slice(0, start))),
  ];
};

/** "labels FP,SIGFP": domain terms with the following words of their phrase. */
const phrase = (plain: string, { start, end, of }: Leftover, read: readonly Span[]): Leftover => {
  if (of !== 'noun' && of !== 'verb') return { start, end, of };
  const behind = plain.slice(end).search(phraseEnd);
  const next = Math.min(
    behind < 0 ? plain.length : end + behind,
    ...read.filter((one) => one.start >= end).map((one) => one.start),
  );
  return { start, end: Math.max(end, start + plain.slice(start, next).trimEnd().length), of };
};

/** Words that begin no order: what follows is a reason, a remark or the end of a list. */
const beginsRemark =
  /^(?:the|a|an|my|our|this|that|these|it|its|they|we|i|you|he|she|there|as|so|if|when|for|to|in|at|on|of|by|from|with|without|not|no|is|are|was|were|be|has|have|had|only|just|all|any|more|most|then|also|again|go|carry|continue|see|know|want|would|will|can|could|should|must|may|might|thanks?|(?:let|tell) me)\b/;
/** Another order: "then email me the map", "and let the others float". */
const clauseStart = /\b(?:and|then|but|please) (?=(?<order>[a-z]{3,}(?: (?!(?:and|then|but)\b)[^\s,;.:!?()]+)+))/g;

/** Clauses of a sentence that may be orders. */
const clausesOf = ({ plain }: Sentence): readonly Leftover[] =>
  matchesOf(clauseStart, plain).flatMap((match): readonly Leftover[] => {
    const order = match.groups?.['order'] ?? '';
    const { end: start } = spanOf(match);
    return beginsRemark.test(order) ? [] : [{ start, end: start + order.length, of: 'clause' }];
  });

const connectors = String.raw`(?:and|but|with|without|then|or|plus|instead|rather)\b`;
/** Up to three words, before the end of their phrase. */
const thing = String.raw`(?:(?:the|an?|any|also) )?(?=(?<thing>(?!(?:and|but|or|then)\b)[a-z'’]+(?: (?!${connectors})[a-z'’]+){0,2})(?: ?(?:[,.;!)+&]|$)| ${connectors}))`;
/** What a list adds to something that was read: "TLS and altlocs". */
const added = new RegExp(String.raw` ?(?:,? and|plus|[+&]|,) ${thing}`, 'dy');
/** What is used or left out: "with altlocs and TLS", "TLS, but no altlocs". */
const governed = new RegExp(
  String.raw`(?:^|[ ,(])(?:with|without|w\/o|no|(?:but|and) not|use|using|apply|instead of|rather than) ${thing}`,
  'dg',
);
/** What such words say besides: "no luck", "use the AlphaFold model". */
const isRemark =
  /\b(?:alpha ?fold|predict[a-z]*|models?|data|files?|maps?|structures?|crystals?|defaults?|luck|effect|wait|problems?|rush|hurry|idea|need|doubt|difference|improvement|worr(?:y|ies)|reason|success|care|caution|once|regards|please|whichever|whatever|it|them)\b/;

/** Things of any name, which no lexicon can list, beside something that was read. */
const thingsOf = ({ plain }: Sentence, read: readonly Span[]): readonly Leftover[] => {
  if (read.length === 0) return [];
  const listed = read.flatMap(({ end }) => {
    added.lastIndex = end;
    const match = added.exec(plain);
    return match === null ? [] : [match];
  });
  return [...listed, ...matchesOf(governed, plain)].flatMap(({ indices }): readonly Leftover[] => {
    const [start = 0, end = 0] = indices?.groups?.['thing'] ?? [];
    const words = plain.slice(start, end);
    return beginsRemark.test(words) || isRemark.test(words) ? [] : [{ start, end, of: 'thing' }];
  });
};

/**
 * Unused parts of a sentence: every number, program, file, space group and domain term must be used or reported.
 * @param read spans that were used
 */
export const leftoversIn = (
  sentence: Sentence,
  words: AdviceWords,
  { programs, read }: { readonly programs: readonly Span[]; readonly read: readonly Span[] },
): readonly Leftover[] => {
  const left: Leftover[] = [];
  for (const token of tokensOf(sentence, words, programs)) {
    if ([...read, ...left].some((other) => overlap(token, other))) continue;
    left.push(phrase(sentence.plain, token, read));
  }
  for (const one of clausesOf(sentence))
    if (![...read, ...left, ...programs].some((other) => overlap(one, other))) left.push(one);
  for (const one of thingsOf(sentence, read))
    if (![...read, ...left, ...programs].some((other) => overlap(one, other))) left.push(one);
  // A longer phrase may contain an earlier finding.
  return left
    .filter((one) => !left.some((other) => other !== one && other.start <= one.start && other.end >= one.end))
    .sort((one, other) => one.start - other.start);
};

/** For the report. */
export const unfollowedWords = ({ words }: Sentence, { start, end, of }: Leftover): UnfollowedWords => ({
  words: words.slice(start, end),
  why: why[of],
});
