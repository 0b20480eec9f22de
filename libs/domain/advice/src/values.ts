import type { StrategyValue } from '@fleet/contracts';
import {
  strategyKeyNamed,
  problemWithSetting,
  atomicNumber,
  type AdviceSetting,
  type ProgramKnowledge,
} from '@fleet/knowledge-model';
import { matchesIn, matchesOf, type AdviceWords } from './compile-words';
import type { Mention } from './marks';
import type { Denials } from './negations';
import { cellOf, countOf, decimalOf, fractionOf, wavelengthOf } from './numbers';
import type { Sentence } from './sentences';
import { spaceGroupOf } from './space-groups';
import { overlap, spanOf, type Span } from './spans';

/** A value that a sentence holds. */
interface FoundValue extends Span {
  /** A program, or `default`. */
  readonly program: string;
  readonly key: string;
  readonly value: StrategyValue;
  /** Said of refinement as a whole: "refine to 2.5 Å". */
  readonly ofRefinement: boolean;
}

/** A value that is not set, and why. */
interface RefusedValue extends Span {
  readonly why: string;
  /** Whose it would be, where that is said. */
  readonly program?: string | undefined;
}

export interface FoundValues {
  readonly values: readonly FoundValue[];
  readonly refused: readonly RefusedValue[];
}

type Programs = Readonly<Record<string, ProgramKnowledge>>;

interface Place {
  readonly words: AdviceWords;
  readonly programs: Programs;
  readonly sentence: Sentence;
}

/** What a sentence says besides its values. */
interface WordsAround {
  readonly mentions: readonly Mention[];
  readonly denials: Denials;
}

const elementOf = (word: string, { knowledge }: AdviceWords): string | undefined => {
  const known = Object.hasOwn(knowledge.elements, word) ? knowledge.elements[word] : undefined;
  if (known !== undefined) return known;
  // Two letters of a sentence in lower case may be any word: "as", "in", "no".
  return word.length <= 2 && atomicNumber(word) > 0 ? word[0]?.toUpperCase().concat(word.slice(1)) : undefined;
};

/** Short words that are chemical symbols, written as such: `Se`, not `as`. */
const isWrittenAsSymbol = (written: string): boolean => /^[A-Z][a-z]?$/.test(written);

const number = (setting: AdviceSetting, value: number | undefined): number | undefined =>
  value !== undefined &&
  Number.isFinite(value) &&
  value >= (setting.min ?? -Infinity) &&
  value <= (setting.max ?? Infinity)
    ? value
    : undefined;

interface Written {
  /** In lower case, as the patterns see it. */
  readonly text: string;
  /** As it stands in the text. */
  readonly written: string;
}

/** Four digits and more are eV. */
const keVOf = (given: number): number => (given >= 1000 ? given / 1000 : given);

type Reader = (setting: AdviceSetting, written: Written, words: AdviceWords) => StrategyValue | undefined;

const readers: Readonly<Record<AdviceSetting['type'], Reader>> = {
  number: (setting, { text }) => number(setting, decimalOf(text)),
  integer: (setting, { text }, { knowledge }) => number(setting, countOf(text, knowledge)),
  energy: (setting, { text }) => {
    const keV = number(setting, keVOf(decimalOf(text)));
    return keV === undefined ? undefined : wavelengthOf(keV);
  },
  element: (_, { text, written }, words) =>
    text.length > 2 || isWrittenAsSymbol(written) ? elementOf(text, words) : undefined,
  cell: (_, { text }) => cellOf(text),
  space_group: (_, { text }) => spaceGroupOf(text),
  twin_law: (_, { text }) => text.replaceAll(' ', ''),
  flag: () => true,
  word: ({ value }) => value,
  absence: () => false,
};

/** What nothing was read from, although the words before it say what it is to be. */
const unreadBecause: Partial<Record<AdviceSetting['type'], string>> = {
  cell: 'a unit cell is six numbers, a, b, c in Å and three angles in degrees',
  space_group: 'no space group is called so',
};

const clauseEnd = /[;]|\bbut\b|\bthen\b/g;

const knows = (programs: Programs, program: string, key: string): boolean => {
  const knowledge = programs[program];
  return knowledge !== undefined && strategyKeyNamed(knowledge, key) !== undefined;
};

/** Whose a value is, by the programs named in its clause. */
interface Beside {
  readonly program?: string;
  /** It is said to be for this one, which does not know the key. */
  readonly lacking?: string;
}

/** The program that a value is for: one that knows the key and is named beside it, in the same clause; one after "in" or "for" goes before others. */
const programBeside = (
  { sentence, programs }: Place,
  span: Span,
  mentions: readonly Mention[],
  key: string,
): Beside => {
  const { plain } = sentence;
  const ends = matchesOf(clauseEnd, plain).map(({ index }) => index);
  const from = Math.max(0, ...ends.filter((end) => end <= span.start));
  const to = Math.min(plain.length, ...ends.filter((end) => end >= span.end));
  const beside = mentions.filter(({ start, end }) => start >= from && end <= to);
  const isFor = ({ start }: Span): boolean => /\b(?:in|for|with|during|of)\b|^ ?$/.test(plain.slice(span.end, start));
  const after = beside.find((one) => one.start >= span.end && one.start - span.end <= 25 && isFor(one));
  const before = beside.findLast(({ end }) => end <= span.start && span.start - end <= 40);
  const named = (after ?? before)?.program;
  if (named === undefined) return {};
  if (named === 'default' || knows(programs, named, key)) return { program: named };
  const isSaid =
    after !== undefined && /^ ?(?:å |a )?(?:in|for|during) (?:the )?$/.test(plain.slice(span.end, after.start));
  return isSaid ? { lacking: named } : {};
};

/** Where the clause begins and ends that a place of a sentence lies in. */
const clauseAt = (plain: string, { start, end }: Span): Span => {
  const before = matchesOf(clauseStart, plain.slice(0, start)).at(-1);
  const behind = plain.slice(end).search(clauseStart);
  return {
    start: before === undefined ? 0 : before.index + before[0].length,
    end: behind < 0 ? plain.length : end + behind,
  };
};
const clauseStart = /[;:]|, |\b(?:but|then)\b/g;

/** Whether somebody tells how something is or was, and asks for nothing: "simulated annealing was tried". */
const isDescription = ({ sentence: { plain }, words }: Place, span: Span): boolean => {
  const clause = clauseAt(plain, span);
  const before = plain.slice(clause.start, span.end);
  return (
    (words.told.test(before) || (words.told.test(plain.slice(span.end, clause.end)) && !words.wished.test(before))) &&
    !words.wished.test(before) &&
    before.search(words.verbs) < 0
  );
};

/** Said of another crystal or structure: "the homologue diffracted to 1.8 Å". */
export const isOfOthers = ({ sentence: { plain }, words }: Pick<Place, 'sentence' | 'words'>, span: Span): boolean => {
  const clause = clauseAt(plain, span);
  const text = plain.slice(clause.start, clause.end);
  return words.others.test(text) && text.search(words.verbs) < 0;
};

/** "2 or 3 copies", "2.0-2.5 Å": which one is meant is not said. */
const isOneOfSeveral = ({ sentence: { raw } }: Place, { start, end }: Span): boolean =>
  /^ ?(?:å|a|copies)? ?(?:or|to|-|–|\/) ?(?:-?\d|[pcifrh] ?\d)/.test(raw.slice(end)) ||
  /\d ?(?:å|a)? ?(?:or|to|-|–|\/) ?$/.test(raw.slice(0, start));

/** A pattern of a setting that was found. */
export interface SettingMatch {
  readonly of: AdviceSetting;
  readonly match: RegExpExecArray;
}

/** Everything in a sentence that may be a value. */
export const settingMatches = (words: AdviceWords, sentence: Sentence): readonly SettingMatch[] => {
  const found: SettingMatch[] = [];
  for (const setting of words.settings) {
    const { of, pattern } = setting;
    const matches = of.raw === true ? matchesOf(pattern, sentence.raw) : matchesIn(setting, sentence);
    for (const match of matches) found.push({ of, match });
  }
  return found;
};

/** Where the value itself stands in a match. */
export const placeOfValue = ({ match }: SettingMatch): Span => {
  const text = match.groups?.['value'] ?? '';
  const start = match[0].lastIndexOf(text) + match.index;
  return { start, end: start + text.length };
};

const withUnit = ({ sentence: { plain } }: Place, one: SettingMatch): Span => {
  const { start, end } = placeOfValue(one);
  return { start, end: end + (/^ ?(?:å|a)(?![a-z])/.exec(plain.slice(end))?.[0].length ?? 0) };
};

const valueIn = ({ sentence, words }: Place, one: SettingMatch): StrategyValue | undefined => {
  const { start, end } = placeOfValue(one);
  const text = one.match.groups?.['value'] ?? '';
  return readers[one.of.type](one.of, { text, written: sentence.words.slice(start, end) }, words);
};

/** Why a value that was read is not set; undefined where it is. */
const whyNot = (place: Place, one: SettingMatch, { denials }: WordsAround): string | undefined => {
  const { of } = one;
  const span = spanOf(one.match);
  if (of.type === 'flag') {
    if (denials.of(span) === 'far') return 'it is not clear whether it is to be done';
    return denials.of(span) === undefined && isDescription(place, span)
      ? 'a description; it asks for nothing'
      : undefined;
  }
  if (of.type === 'absence') return undefined;
  if (denials.of(of.type === 'word' ? span : placeOfValue(one)) !== undefined)
    return 'it is not to be used, and no other value is given for it';
  if (of.type !== 'word' && isOneOfSeveral(place, { start: span.start, end: placeOfValue(one).end }))
    return 'one of several values';
  return isOfOthers(place, span) ? 'said of something else than these data' : undefined;
};

/** "No waters": the words of a flag may deny it themselves. */
const deniesItself = /^(?:no|without|any|turn off|switch off|disable)\b/;

type Found = FoundValue | RefusedValue | undefined;

/** A value with whose it is, or why it is not set; undefined where the words hold none, or none of this program. */
const settingOf = (place: Place, one: SettingMatch, found: WordsAround): Found => {
  const { of, match } = one;
  const span = spanOf(match);
  const value = valueIn(place, one);
  const { program: beside, lacking }: Beside =
    of.of_refinement === true ? {} : programBeside(place, span, found.mentions, of.key);
  if (value === undefined) {
    const why = unreadBecause[of.type];
    return why === undefined ? undefined : { ...span, why };
  }
  if (lacking !== undefined && of.program === undefined)
    return { ...withUnit(place, one), program: lacking, why: `${lacking} has no ${of.key}` };
  if (of.only_beside === true && beside === undefined) return undefined;
  const denial = found.denials.of(span);
  if (of.type === 'absence' && denial === undefined) return undefined;
  const why = whyNot(place, one, found);
  if (why !== undefined && of.left_out !== true) return { ...span, program: of.program ?? beside, why };
  const isNo = of.type === 'flag' && (denial === 'near' || deniesItself.test(match[0]));
  return {
    ...span,
    program: of.program ?? beside ?? 'default',
    key: of.key,
    value: isNo || why !== undefined ? false : value,
    ofRefinement: of.of_refinement === true,
  };
};

/** "3 Å in autosol and 2 for the rest": the second value goes by the words of the first. */
const secondValue =
  /^ ?(?:å|a|ang|angstroms?)?(?: (?:in|for|with|during) [a-z ]{1,30}?)?(?:,|,? (?:and|but)) (?:(?:to|at|use) )?(?=\d{1,3}(?:[.,]\d+)? ?(?:å |a |ang |angstroms? )?(?:in|for|with|during|otherwise|elsewhere)\b)/;
const oneNumber = /(?<value>\d{1,3}(?:[.,]\d{1,4})?)(?: ?(?:å|a|ang|angstroms?)(?![a-z]))?/y;

const secondMatch = ({ plain }: Sentence, { of, match }: SettingMatch): readonly SettingMatch[] => {
  if (of.type !== 'number' && of.type !== 'integer') return [];
  const { end } = spanOf(match);
  const between = secondValue.exec(plain.slice(end))?.[0];
  if (between === undefined) return [];
  oneNumber.lastIndex = end + between.length;
  const second = oneNumber.exec(plain);
  return second === null ? [] : [{ of: { ...of, only_beside: true, of_refinement: false }, match: second }];
};

const settingsOf = (
  place: Place,
  taken: readonly Span[],
  found: WordsAround,
  matches: readonly SettingMatch[],
): FoundValues => {
  const values: FoundValue[] = [];
  const refused: RefusedValue[] = [];
  const all = [...matches, ...matches.flatMap((one) => secondMatch(place.sentence, one))];
  for (const one of all) {
    const span = spanOf(one.match);
    const before = [...taken, ...refused, ...values.filter(({ key }) => key === one.of.key)];
    const value = before.some((other) => overlap(span, other)) ? undefined : settingOf(place, one, found);
    if (value === undefined) continue;
    if ('why' in value) refused.push(value);
    else values.push(value);
  }
  return { values, refused: refused.filter((span) => !values.some((other) => overlap(span, other))) };
};

/** `key=value`, as PHENIX's users type it; a value in quotes may hold blanks, and so may a selection. */
const assignment = /(?<![\w.])(?:phenix\.)?([a-z][\w.]{0,80}) ?= ?('[^'\n]{0,300}'|"[^"\n]{0,300}"|[^\s,;()]{1,200})/gi;

const plainValue = (text: string): StrategyValue => {
  const bare = /^(['"]).*\1$/s.test(text) ? text.slice(1, -1) : text.replace(/[.]+$/, '');
  if (/^(?:true|yes|on)$/i.test(bare)) return true;
  if (/^(?:false|no|off)$/i.test(bare)) return false;
  return /^-?\d+(?:\.\d+)?$/.test(bare) ? Number(bare) : bare;
};

/** A selection without quotes goes on to the end of its clause. */
const selectionAt = (words: string, match: RegExpExecArray): string => {
  const text = match[2] ?? '';
  if (/^['"]/.test(text)) return text;
  const from = match.index + match[0].length - text.length;
  return /^[^,;\n]{0,300}/.exec(words.slice(from))?.[0].replace(/[.]+$/, '').trim() ?? text;
};

/** Whose a key is: the program named beside it, the only one that has it, else all that do. */
const ownerOf = (place: Place, span: Span, key: string, mentions: readonly Mention[]): string | undefined => {
  const { program: beside } = programBeside(place, span, mentions, key);
  if (beside !== undefined) return beside;
  const [only, ...others] = Object.values(place.programs).filter(
    (program) => strategyKeyNamed(program, key) !== undefined,
  );
  return others.length > 0 ? 'default' : only?.name;
};

const meantBy = (programs: Programs, owner: string, key: string): readonly ProgramKnowledge[] =>
  Object.values(programs).filter((program) =>
    owner === 'default' ? strategyKeyNamed(program, key) !== undefined : program.name === owner,
  );

/** A quote that is never closed: no value, the words stay with what is not followed. */
const isUnclosed = (text: string): boolean => /^(['"])(?!.*\1$)/s.test(text);

/** What is assigned in so many words. Keys that no program has are left to the reader of sentences. */
export const assignmentsOf = (place: Place, mentions: readonly Mention[]): FoundValues => {
  const values: FoundValue[] = [];
  const refused: RefusedValue[] = [];
  if (!place.sentence.words.includes('=')) return { values, refused };
  for (const match of matchesOf(assignment, place.sentence.words)) {
    const span = spanOf(match);
    const key = match[1] ?? '';
    const text = key.endsWith('selection') ? selectionAt(place.sentence.words, match) : (match[2] ?? '');
    const whole = { start: span.start, end: Math.max(span.end, span.end - (match[2] ?? '').length + text.length) };
    const program = ownerOf(place, span, key, mentions);
    if (program === undefined || isUnclosed(text)) continue;
    const value = plainValue(text);
    const meant = meantBy(place.programs, program, key);
    const problem = problemWithSetting(key, value, meant);
    if (problem !== undefined) refused.push({ ...whole, why: `${key} ${problem.reason}` });
    else values.push({ ...whole, program, key: nameOf(meant, key), value, ofRefinement: false });
  }
  return { values, refused };
};

/** The strategy key where all programs agree on it, else the name as it was given. */
const nameOf = (programs: readonly ProgramKnowledge[], name: string): string => {
  const keys = new Set(programs.map((program) => strategyKeyNamed(program, name)?.key));
  return keys.size === 1 ? ([...keys][0] ?? name) : name;
};

/** What is assigned and not denied: "never set nproc=8". */
const withoutDenied = ({ values, refused }: FoundValues, { denials }: WordsAround): FoundValues => {
  const isLeft = (span: Span): boolean => denials.of(span) === undefined;
  const denied = values.filter((one) => !isLeft(one));
  const flags = denied.filter((one) => typeof one.value === 'boolean' && denials.of(one) === 'near');
  return {
    values: [...values.filter(isLeft), ...flags.map((one) => ({ ...one, value: one.value !== true }))],
    refused: [
      ...refused,
      ...denied
        .filter((one) => !flags.includes(one))
        .map(({ start, end }) => ({ start, end, why: 'it is not to be used, and no other value is given for it' })),
    ],
  };
};

/** Values of a sentence that its parameters take, and those that are not set. */
export const valuesOf = (
  place: Place,
  found: WordsAround,
  assignments: FoundValues,
  matches: readonly SettingMatch[],
): FoundValues => {
  const assigned = withoutDenied(assignments, found);
  const read = settingsOf(place, [...assigned.values, ...assigned.refused], found, matches);
  const values: FoundValue[] = [];
  const refused: RefusedValue[] = [];
  for (const one of read.values) {
    const meant = Object.values(place.programs).filter(({ name }) => one.program === 'default' || name === one.program);
    const problem = problemWithSetting(one.key, one.value, meant);
    if (problem === undefined) values.push(one);
    else refused.push({ start: one.start, end: one.end, why: `${one.key} ${problem.reason}` });
  }
  return {
    values: [...assigned.values, ...values],
    refused: [...assigned.refused, ...read.refused, ...refused],
  };
};

/** Spans of a sentence that hold values: a program's name inside one asks for nothing. */
export const spansOfValues = (matches: readonly SettingMatch[]): readonly Span[] =>
  matches
    .filter(({ of }) => (of.program !== undefined || of.of_refinement === true) && of.asks !== true)
    .map(({ match }) => spanOf(match));

/** A target of quality: fractions. */
export const targetsOf = (
  words: AdviceWords,
  sentence: Sentence,
): readonly (Span & { readonly field: 'r_free_target' | 'map_cc_target'; readonly value: number })[] =>
  words.targets.flatMap((target) =>
    matchesIn(target, sentence)
      .map((match) => ({
        ...spanOf(match),
        field: target.of,
        value: fractionOf(match.groups?.['value'] ?? ''),
      }))
      .filter(({ value }) => value > 0 && value < 1),
  );
