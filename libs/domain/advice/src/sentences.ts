import type { Candidates, WordStarts } from './word-starts';

/** A sentence of a text. All its forms have the same length, so that positions are the same in all of them. */
export interface Sentence {
  /** As written. */
  readonly words: string;
  /** Lower case, file names blanked out. */
  readonly raw: string;
  /** Lower case, hyphens and underscores between letters replaced with blanks, without file names and `phenix.`. */
  readonly plain: string;
  readonly files: readonly NamedFile[];
  /** Which patterns may occur in the plain form. */
  readonly may: Candidates;
}

/** A file that the text names. */
export interface NamedFile {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Longer sentences are cut here. */
const longestSentence = 1_000;

/** URLs are ignored. */
const address = /\bhttps?:\/\/[^\s<>"')]{1,500}/gi;

const fileName =
  /(?<![\w/.-])[\w./~+-]{0,200}[\w-]\.(?:pdb|ent|cif|mmcif|mtz|sca|hkl|seq|fasta|fa|pir|dat|mrc|ccp4|map)(?:\.gz)?(?![\w-])/gi;

/** Characters whose lower case is longer stay unchanged, so that positions stay the same. */
const lowerCase = (text: string): string => {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : Array.from(text, (one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one)).join('');
};

const blanked = (text: string, spans: readonly { readonly start: number; readonly end: number }[]): string =>
  spans.reduce(
    (whole, { start, end }) => whole.slice(0, start) + '\u0001'.repeat(end - start) + whole.slice(end),
    text,
  );

const sentenceOf = (words: string, starts: WordStarts): Sentence => {
  const files = [...words.matchAll(fileName)].map(({ index, 0: name }) => ({
    name,
    start: index,
    end: index + name.length,
  }));
  const addresses = [...words.matchAll(address)].map(({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
  }));
  const raw = blanked(lowerCase(words), [...addresses, ...files]).replaceAll('\n', ' ');
  const plain = raw
    .replaceAll('phenix.', '       ')
    .replaceAll(/(?<=[a-z])[-_](?=[a-z])/g, ' ')
    .replaceAll('_', ' ');
  return { words, raw, plain, files, may: starts.in(plain) };
};

/**
 * Ends of sentences: full stops before a blank, breaks before a new item or paragraph, semicolons, and dashes between blanks that are not a
 * range. A quoted line of a mail ("> use 2 Å") is one sentence, and so is each file of a list ("bgal.pdb -- known model").
 */
const boundary =
  /(?:(?<=[.!?])["')\]]?(?=\s)|;| [-–—]+ (?!\d)|(?<!\d) [-–—]+ )(?<!(?:^|\n)>[^\n]{0,300})|\n(?=\n|[-*•>\d(A-ZÄÖÜ]|[\w./,-]{1,200}\.[a-z\d]{2,6}(?: ?[-–—]{1,2} |: ))/g;

/** "But do not apply it yet"; "do not use it for refinement" says how, and denies less. */
export const takingBack =
  /\b(?:do not|don't|dont|never|not to) (?:use|apply|set|take|add|include|trust|rely on) (?:it|them|(?:this|that|these)(?= ?(?:[.,;:!)]|$)))\b(?! (?:for|in|into|with|as|to|at|on|by|from|when|while|until|before|after|if|unless|again)\b)/gi;
/** A sentence that takes back what the one before it says is read with it. */
const takesBack = (text: string): boolean =>
  /^\s*(?:no,? wait|sorry|i mean)\b/i.test(text) ||
  text.search(takingBack) === (/^(?:but|so|and|please|[\s,])*/i.exec(text)?.[0].length ?? 0);

/** "phaser - no solution": the first word of a line is what the rest is about. */
const isLabel = (piece: string, end: string): boolean => /^ [-–—]/.test(end) && /^\s*[\w.-]+$/.test(piece);

const abbreviation = /\b(?:e\.g|i\.e|etc|vs|approx|ca|no|fig|dr|prof|incl|max|min|ang)\.$/i;

/** A numbered list inside a line: `1. run xtriage 2. run phaser`; not a symbol at the end of a sentence: `in P 32 2 1. The hand is right`. */
const isNumbered = /(?:^|(?<!\d|\b[PCIFRH])\s)\(?1[.)] +[A-Za-z]/i;
const itemNumber = /(?<=^|(?<!\d|\b[PCIFRH])\s)\(?\d{1,2}[.)] +(?=[A-Za-z])/gi;

/** Vocabulary for splitting sentences: candidate patterns, and the verbs of requests. */
interface SentenceWords {
  readonly starts: WordStarts;
  readonly verbs: RegExp;
}

/** A line that ends with these continues in the next one. */
const goesOn = /(?:[,(]|\b(?:and|or|then|to|the|an?|but|not|never|please|also|with|for|of|in|at))$/;

/** Breaks lines before a request: "do not use TLS", "add waters" in the next line. */
const withOrders = (text: string, { verbs }: SentenceWords): string =>
  text.replaceAll(/\n(?=([a-z]+)\b(?!=))/g, (_, word: string, at: number) =>
    word.search(verbs) === 0 && !goesOn.test(text.slice(Math.max(0, at - 20), at)) ? '\n\n' : '\n',
  );

/** The sentences of a cleaned text, in order. */
export const sentencesOf = (cleaned: string, words: SentenceWords): readonly Sentence[] => {
  const text = withOrders(isNumbered.test(cleaned) ? cleaned.replaceAll(itemNumber, '\n- ') : cleaned, words);
  const pieces: string[] = [];
  let from = 0;
  for (const { index, 0: end } of text.matchAll(boundary)) {
    const piece = text.slice(from, index);
    if (
      abbreviation.test(piece) ||
      isLabel(piece, end) ||
      takesBack(text.slice(index + end.length, index + end.length + 80))
    )
      continue;
    pieces.push(piece);
    from = index + end.length;
  }
  pieces.push(text.slice(from));
  return pieces
    .map((piece) =>
      piece
        .replace(/^[\s\-*•]+(?=\s|[A-Za-z])/, '')
        // Also alone: "7. Stop condition: none" ends a sentence after its number.
        .replace(/^\s*(?:\d{1,2}[.)] +|\(?\d{1,2}[.)]\s*$)/, '')
        .replace(/^(?:step \d{1,2}|(?:first|second|third|fourth|next) step)(?: ?[:.)] *|$)/i, '')
        .trim(),
    )
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
    .map((piece) => sentenceOf(piece.slice(0, longestSentence), words.starts));
};
