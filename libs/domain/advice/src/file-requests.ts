import type { FilePreferences } from '@fleet/contracts/guidance';
import { matchesOf } from './compile-words';
import type { Denials } from './negations';
import type { NamedFile, Sentence } from './sentences';
import type { Span } from './spans';

type Role = Exclude<keyof FilePreferences, 'exclude'>;

/** A request about a file in a sentence. */
export interface FileRequest extends Span {
  readonly file: string;
  readonly role: Role | 'exclude';
}

const roleOf = ({ name, start, end }: NamedFile, { plain }: Sentence): Role => {
  if (/\.(?:seq|fasta|fa|pir|dat)$/i.test(name)) return 'sequence';
  if (!/\.(?:mtz|sca|hkl)$/i.test(name)) return 'model';
  const around = plain.slice(Math.max(0, start - 40), end + 30);
  return /\b(?:map )?coefficients?\b|\bmap coeffs?\b/.test(around) ? 'map_coeffs_mtz' : 'data_mtz';
};

const wanted =
  /\b(?:use|using|take|taking|prefer|start(?:ing)? (?:with|from)|refine|dock|place|against|(?:model|sequence|data|search model) (?:is|in|are|file)|with)\b/;
const isAsRole = /^['")]* (?:as|for) (?:the |my |a )?(?:search |starting )?(?:model|sequence|data|template)/;
const pronoun =
  /\b(?:do not|don't|dont|not|never) (?:use|touch|take|read) (?:it|this|that|this one|that one|them|this file)\b/;
const ignored = /\b(?:ignore|exclude|discard|skip|leave out|disregard)\b/g;
/** "Ignore the one and take the other": another verb begins another request. */
const ordered =
  /(?:[,:]|\b(?:and|but|then|instead)) (?:please |rather |only |just |instead |then )?(?:use|take|prefer|start (?:with|from)|refine|dock|place)\b/g;

const lastIn = (pattern: RegExp, text: string): number => matchesOf(pattern, text).at(-1)?.index ?? -1;
const isIgnored = (before: string): boolean => lastIn(ignored, before) > lastIn(ordered, before);

/** Files that a sentence wants used or ignored. Names that are only mentioned are not a request. */
export const fileRequestsOf = (sentence: Sentence, denials: Denials): readonly FileRequest[] =>
  sentence.files.flatMap((file): readonly FileRequest[] => {
    const before = sentence.plain.slice(Math.max(0, file.start - 60), file.start);
    const isLast = file === sentence.files.at(-1);
    const isExcluded =
      denials.of(file) !== undefined || isIgnored(before) || (isLast && pronoun.test(sentence.plain.slice(file.end)));
    const span = { start: file.start, end: file.end, file: file.name.split('/').at(-1) ?? file.name };
    if (isExcluded) return [{ ...span, role: 'exclude' }];
    const isWanted = wanted.test(before) || isAsRole.test(sentence.plain.slice(file.end));
    return isWanted ? [{ ...span, role: roleOf(file, sentence) }] : [];
  });
