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

/** Files that may be something else than a model: a dictionary, a ligand, a map. */
const isOther =
  /\b(?:ligands?|inhibitor|compound|restraints?|dictionar(?:y|ies)|cif|library|maps?) (?:file |is |in |from |of |with )*(?:the )?$|\breference model (?:file )?$/;
const isOtherAfter = /^ (?:as|for) (?:the |an? )?(?:ligand|restraints?|dictionary|maps?|half maps?|reference)\b/;

/** "Fit it into the map" docks a model; "fit it" alone may be about a ligand. */
const isFitted = (before: string, behind: string): boolean =>
  /\bfit (?:the )?(?:(?:predicted )?model )?$/.test(before) && /^ (?:in|into|to) (?:the |our |my )?map\b/.test(behind);

/** Whether a file of coordinates is a model; a CIF only where a word says so. */
const isModel = ({ name, start, end }: NamedFile, { plain }: Sentence): boolean => {
  const before = plain.slice(Math.max(0, start - 40), start);
  if (/ligand|restraint/i.test(name) || isOther.test(before) || isOtherAfter.test(plain.slice(end))) return false;
  return (
    !/\.cif$/i.test(name) ||
    isFitted(before, plain.slice(end)) ||
    /\b(?:model|structure|refine|dock|place) (?:file |the |is |in )*$/.test(before)
  );
};

/** Undefined for a file without a role of its own, such as a map. */
const roleOf = (file: NamedFile, sentence: Sentence): Role | undefined => {
  const { name, start, end } = file;
  const { plain } = sentence;
  if (/\.(?:seq|fasta|fa|pir|dat)$/i.test(name)) return 'sequence';
  if (/\.(?:mrc|ccp4|map)(?:\.gz)?$/i.test(name)) return undefined;
  if (!/\.(?:mtz|sca|hkl)$/i.test(name)) return isModel(file, sentence) ? 'model' : undefined;
  const around = plain.slice(Math.max(0, start - 40), end + 30);
  return /\b(?:map )?coefficients?\b|\bmap coeffs?\b/.test(around) ? 'map_coeffs_mtz' : 'data_mtz';
};

const wanted =
  /\b(?:use|using|take|taking|prefer|(?:re)?start(?:ing)? (?:with|from)|(?:mr|phaser|replacement|docking) from|refine|dock|place|against|(?:model|sequence|data|search model) (?:is|in|are|file)|with)\b|(?:\bsearch model|(?:^|[,;] )(?:the )?sequence) $|\b(?:model|sequence|seq|data|reflections)(?: file)? ?[:=] ?$/;
/** "Take the free flags from old.mtz" asks for a part of it, "compare it with old.pdb" and "deposited model: old.pdb" for nothing of it. */
const isPart =
  /\b(?:flags?|phases|(?:test|free) (?:set|reflections))\b(?:(?!\b(?:use|take|data)\b)[^;])*\b(?:in|of|from) (?:the )?(?:file )?$|\b(?:compare|superpose|align|overlay|check|agree|consistent|identical|isomorphous)[a-z]*\b[^,;]*\b(?:with|against|to|on) (?:the )?(?:model |structure |file )?(?:in |of |from )?$|\b(?:deposited|reference|known|published|final) (?:model|structure)(?: file)? ?[:=] ?$|\bover (?:the )?$|\b(?:them|these|those|it) from (?:the )?$/;
const isAsRole =
  /^['")]* (?:(?:as|for) (?:the |my |a )?(?:search |starting )?(?:model|sequence|data|template)|is the (?:right|correct|good|best) (?:model|sequence|data|file|one))/;
const pronoun =
  /\b(?:do not|don't|dont|not|never) (?:use|touch|take|read) (?:it|this|that|this one|that one|them|this file)\b/;
const ignored = /\b(?:ignore|exclude|discard|skip|leave out|disregard)\b/g;
/** "Ignore the one and take the other": another verb begins another request. */
const ordered =
  /(?:[,:]|\b(?:and|but|then|instead)) (?:please |rather |only |just |instead |then )?(?:(?:use|take|prefer|start (?:with|from)|refine|dock|place)\b|(?:the |our |my )?(?:[a-z]+ )?(?:one|model|file|data|sequence) (?:is|are)\b)/g;

/** "Ignore everything except this", "use nothing but this". */
const alone =
  /\b(?:(?:ignore|exclude|discard|skip|disregard|(?:not|n't|never) (?:use|take|read)) (?:everything|anything|all(?: [a-z]+)?|any(?: [a-z]+)?)|nothing)(?: else)? (?:except|but|other than|apart from)(?: for)? (?:the )?$/;

/** "Do not exclude it" asks for nothing. */
const notIgnored =
  /(?:\b(?:not|dont|never)|n't) (?:ignore|exclude|discard|skip|leave out|disregard) (?:the )?(?:file |model |data )?$/;

const lastIn = (pattern: RegExp, text: string): number => matchesOf(pattern, text).at(-1)?.index ?? -1;
const isIgnored = (before: string): boolean => lastIn(ignored, before) > lastIn(ordered, before);

/** Whether a sentence wants a file ignored, besides negating it. */
const isLeftOut = (file: NamedFile, { plain, files }: Sentence, before: string): boolean =>
  (isIgnored(before) && !alone.test(before)) ||
  (/\bleave (?:the (?:file )?)?$/.test(before) && /^ (?:alone|out|away|aside)\b/.test(plain.slice(file.end))) ||
  (file === files.at(-1) && pronoun.test(plain.slice(file.end)));

const isWanted = (before: string, behind: string): boolean =>
  alone.test(before) || wanted.test(before) || isAsRole.test(behind) || isFitted(before, behind);

/** Files that a sentence wants used or ignored. Names that are only mentioned are not a request. */
const requestsIn = (sentence: Sentence, denials: Denials): readonly FileRequest[] =>
  sentence.files.flatMap((file): readonly FileRequest[] => {
    const before = sentence.plain.slice(Math.max(0, file.start - 60), file.start);
    const denial = alone.test(before) ? undefined : denials.of(file);
    const span = { start: file.start, end: file.end, file: file.name.split('/').at(-1) ?? file.name };
    if (
      isPart.test(sentence.plain.slice(Math.max(0, file.start - 120), file.start)) ||
      notIgnored.test(before) ||
      denial === 'far'
    )
      return [];
    if (denial === 'near' || isLeftOut(file, sentence, before)) return [{ ...span, role: 'exclude' }];
    const role = isWanted(before, sentence.plain.slice(file.end)) ? roleOf(file, sentence) : undefined;
    return role === undefined ? [] : [{ ...span, role }];
  });

/** "Search with a.pdb and b.pdb": both of a role are wanted, and neither is preferred. */
export const fileRequestsOf = (sentence: Sentence, denials: Denials): readonly FileRequest[] => {
  const requests = requestsIn(sentence, denials);
  const isOneOfSeveral = (one: FileRequest): boolean =>
    one.role !== 'exclude' && requests.some(({ role, file }) => role === one.role && file !== one.file);
  return requests.filter((one) => !isOneOfSeveral(one));
};
