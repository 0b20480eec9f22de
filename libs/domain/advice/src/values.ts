import type { StrategyValue } from '@fleet/contracts';
import {
  strategyKeyNamed,
  problemWithSetting,
  atomicNumber,
  type AdviceSetting,
  type ProgramKnowledge,
} from '@fleet/knowledge-model';
import { isNegated } from './actions';
import { matchesIn, matchesOf, type AdviceWords } from './compile-words';
import type { Mention } from './marks';
import { countOf, fractionOf, wavelengthOf } from './numbers';
import type { Sentence } from './sentences';
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

/** A value that a parameter does not take. */
interface RefusedValue extends Span {
  readonly why: string;
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
  readonly negations: readonly Span[];
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
  number: (setting, { text }) => number(setting, Number(text)),
  integer: (setting, { text }, { knowledge }) => number(setting, countOf(text, knowledge)),
  energy: (setting, { text }) => {
    const keV = number(setting, keVOf(Number(text)));
    return keV === undefined ? undefined : wavelengthOf(keV);
  },
  element: (_, { text, written }, words) =>
    text.length > 2 || isWrittenAsSymbol(written) ? elementOf(text, words) : undefined,
  cell: (_, { text }) => (text.match(/\d+(?:\.\d+)?/g) ?? []).join(' '),
  space_group: (_, { text }) => text.replaceAll(' ', '').toUpperCase(),
  twin_law: (_, { text }) => text.replaceAll(' ', ''),
  flag: () => true,
  word: ({ value }) => value,
};

const clauseEnd = /[;]|\bbut\b|\bthen\b/g;

const knows = (programs: Programs, program: string, key: string): boolean => {
  const knowledge = programs[program];
  return knowledge !== undefined && strategyKeyNamed(knowledge, key) !== undefined;
};

/** The program that a value is for: one that knows the key and is named beside it, in the same clause; one after "in" or "for" goes before others. */
const programBeside = (
  { sentence, programs }: Place,
  span: Span,
  mentions: readonly Mention[],
  key: string,
): string | undefined => {
  const ends = matchesOf(clauseEnd, sentence.plain).map(({ index }) => index);
  const from = Math.max(0, ...ends.filter((end) => end <= span.start));
  const to = Math.min(sentence.plain.length, ...ends.filter((end) => end >= span.end));
  const beside = mentions.filter(({ start, end }) => start >= from && end <= to);
  const after = beside.find(
    ({ start }) =>
      start >= span.end &&
      start - span.end <= 25 &&
      /\b(?:in|for|with|during|of)\b/.test(sentence.plain.slice(span.end, start)),
  );
  const before = beside.findLast(({ end }) => end <= span.start && span.start - end <= 40);
  const named = (after ?? before)?.program;
  return named !== undefined && knows(programs, named, key) ? named : undefined;
};

const isSaidNo = ({ sentence }: Place, span: Span, negations: readonly Span[]): boolean =>
  /^(?:no|without|any|turn off|switch off|disable)\b/.test(sentence.plain.slice(span.start)) ||
  isNegated(sentence, negations, span.start);

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

const valueIn = ({ sentence, words }: Place, { of, match }: SettingMatch): StrategyValue | undefined => {
  const text = match.groups?.['value'] ?? '';
  const at = match[0].indexOf(text) + match.index;
  return readers[of.type](of, { text, written: sentence.words.slice(at, at + text.length) }, words);
};

/** A value with whose it is; undefined where the words hold none, or none of this program. */
const settingOf = (place: Place, { of, match }: SettingMatch, found: WordsAround): FoundValue | undefined => {
  const span = spanOf(match);
  const value = valueIn(place, { of, match });
  const beside = of.of_refinement === true ? undefined : programBeside(place, span, found.mentions, of.key);
  if (value === undefined || (of.only_beside === true && beside === undefined)) return undefined;
  const isNo = of.type === 'flag' && isSaidNo(place, span, found.negations);
  return {
    ...span,
    program: of.program ?? beside ?? 'default',
    key: of.key,
    value: isNo ? false : value,
    ofRefinement: of.of_refinement === true,
  };
};

const settingsOf = (
  place: Place,
  taken: readonly Span[],
  found: WordsAround,
  matches: readonly SettingMatch[],
): readonly FoundValue[] => {
  const values: FoundValue[] = [];
  for (const one of matches) {
    const span = spanOf(one.match);
    const before = [...taken, ...values.filter(({ key }) => key === one.of.key)];
    const value = before.some((other) => overlap(span, other)) ? undefined : settingOf(place, one, found);
    if (value !== undefined) values.push(value);
  }
  return values;
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
  const beside = programBeside(place, span, mentions, key);
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
    const program = ownerOf(place, span, key, mentions);
    if (program === undefined || isUnclosed(text)) continue;
    const value = plainValue(text);
    const meant = meantBy(place.programs, program, key);
    const problem = problemWithSetting(key, value, meant);
    if (problem !== undefined) refused.push({ ...span, why: `${key} ${problem.reason}` });
    else values.push({ ...span, program, key: nameOf(meant, key), value, ofRefinement: false });
  }
  return { values, refused };
};

/** The strategy key where all programs agree on it, else the name as it was given. */
const nameOf = (programs: readonly ProgramKnowledge[], name: string): string => {
  const keys = new Set(programs.map((program) => strategyKeyNamed(program, name)?.key));
  return keys.size === 1 ? ([...keys][0] ?? name) : name;
};

/** Values of a sentence that its parameters take, and those that they do not. */
export const valuesOf = (
  place: Place,
  found: WordsAround,
  assigned: FoundValues,
  matches: readonly SettingMatch[],
): FoundValues => {
  const taken = [...assigned.values, ...assigned.refused];
  const values: FoundValue[] = [];
  const refused: RefusedValue[] = [];
  for (const one of settingsOf(place, taken, found, matches)) {
    const meant = Object.values(place.programs).filter(({ name }) => one.program === 'default' || name === one.program);
    const problem = problemWithSetting(one.key, one.value, meant);
    if (problem === undefined) values.push(one);
    else refused.push({ start: one.start, end: one.end, why: `${one.key} ${problem.reason}` });
  }
  return { values: [...assigned.values, ...values], refused: [...assigned.refused, ...refused] };
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
