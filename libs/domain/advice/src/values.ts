import type { StrategyValue } from '@fleet/contracts/schema';
import { problemWithSetting, type AdviceSetting } from '@fleet/knowledge-model';
import { withoutDenied } from './assignments';
import { matchesIn, type AdviceWords } from './compile-words';
import { elementOf, elementsAround, isWrittenAsSymbol } from './elements';
import { symbolsIn } from './leftovers';
import type { Mention } from './marks';
import { whyOfRounds, type Denials } from './negations';
import { cellOf, countOf, decimalOf, wavelengthOf } from './numbers';
import type { Sentence } from './sentences';
import { spaceGroupOf } from '@fleet/symmetry';
import { overlap, spanOf, type Span } from './spans';
import {
  changesLater,
  isBound,
  isDescription,
  isOfOthers,
  isOneOfSeveral,
  isReport,
  programBeside,
  type Beside,
  type FoundValue,
  type FoundValues,
  type RefusedValue,
  type ValueContext,
} from './value-context';

/** The content of a sentence besides its values. */
interface WordsAround {
  readonly mentions: readonly Mention[];
  readonly denials: Denials;
}

const number = (setting: AdviceSetting, value: number | undefined): number | undefined =>
  value !== undefined &&
  Number.isFinite(value) &&
  value >= (setting.min ?? -Infinity) &&
  value <= (setting.max ?? Infinity)
    ? value
    : undefined;

interface Written {
  /** In lower case, for the patterns. */
  readonly text: string;
  /** As written. */
  readonly written: string;
  /** At the beginning of its sentence. */
  readonly isFirst: boolean;
}

/** Numbers with four or more digits are in eV. */
const keVOf = (given: number): number => (given >= 1000 ? given / 1000 : given);

type Reader = (setting: AdviceSetting, written: Written, words: AdviceWords) => StrategyValue | undefined;

const readers: Readonly<Record<Exclude<AdviceSetting['type'], 'flag' | 'absence'>, Reader>> = {
  number: (setting, { text }) => number(setting, decimalOf(text)),
  integer: (setting, { text }, { knowledge }) => number(setting, countOf(text, knowledge)),
  energy: (setting, { text }) => {
    const keV = number(setting, keVOf(decimalOf(text)));
    return keV === undefined ? undefined : wavelengthOf(keV);
  },
  element: (_, { text, written, isFirst }, words) =>
    text.length > 2 || isWrittenAsSymbol(written, isFirst) ? elementOf(text, words) : undefined,
  cell: (_, { text }) => cellOf(text),
  space_group: (_, { text }) => spaceGroupOf(text),
  twin_law: (_, { text }) => text.replaceAll(' ', ''),
  word: ({ value }) => value,
};

/** Reasons for unread values, although the words before them announce one. */
const unreadBecause: Partial<Record<AdviceSetting['type'], string>> = {
  cell: 'a unit cell is six numbers, a, b, c in Å and three angles in degrees',
  space_group: 'no space group is called so',
};

/** A match of a setting's pattern. */
export interface SettingMatch {
  readonly of: AdviceSetting;
  readonly match: RegExpExecArray;
}

/** All possible values in a sentence. */
export const settingMatches = ({ words, sentence, experiment }: ValueContext): readonly SettingMatch[] => {
  const found: SettingMatch[] = [];
  for (const setting of words.settings) {
    const { of } = setting;
    if (of.experiments?.includes(experiment) === false) continue;
    const matches = matchesIn(setting, sentence, of.raw === true ? sentence.raw : sentence.plain);
    for (const match of matches) found.push({ of, match });
  }
  return found;
};

/** The position of the value in a match. */
export const spanOfValue = ({ match }: SettingMatch): Span => {
  const text = match.groups?.['value'] ?? '';
  // "S SAD", "scatterers are S": a word of its own.
  let at = match[0].lastIndexOf(text);
  while (at > 0 && /[a-z]{2}/.test(match[0].slice(at + text.length - 1, at + text.length + 1)))
    at = match[0].lastIndexOf(text, at - 1);
  const start = Math.max(at, 0) + match.index;
  return { start, end: start + text.length };
};

const withUnit = ({ sentence: { plain } }: ValueContext, one: SettingMatch): Span => {
  const { start, end } = spanOfValue(one);
  return { start, end: end + (/^ ?(?:å|a)(?![a-z])/.exec(plain.slice(end))?.[0].length ?? 0) };
};

const valueIn = ({ sentence, words }: ValueContext, one: SettingMatch): StrategyValue | undefined => {
  const { of, match } = one;
  if (of.type === 'flag' || of.type === 'absence') return undefined;
  const { start, end } = spanOfValue(one);
  const text = match.groups?.['value'] ?? '';
  return readers[of.type](of, { text, written: sentence.words.slice(start, end), isFirst: start === 0 }, words);
};

/** Why a switch is not set; undefined if it is. */
const whyNotSwitched = (context: ValueContext, { match }: SettingMatch, denials: Denials): string | undefined => {
  const denial = denials.of(spanOf(match));
  if (denial === 'far') return denials.whyNot(spanOf(match));
  if (changesLater(context, spanOf(match))) return whyOfRounds;
  if (denials.isOn(spanOf(match))) return undefined;
  const isTold = denial === undefined ? isDescription : isReport;
  return isTold(context, spanOf(match)) ? 'a description; it asks for nothing' : undefined;
};

/** Another space group is named and not denied: "processed in P222, correct is P21212". */
const isOneOfGroups = ({ sentence: { words, raw } }: ValueContext, one: SettingMatch, denials: Denials): boolean => {
  const span = spanOfValue(one);
  const group = spaceGroupOf(words.slice(span.start, span.end));
  return (
    !/\b(?:true|correct|right|actual|real) (?:space[ -]?group )?(?:is )?$/.test(raw.slice(0, span.start)) &&
    symbolsIn(words).some(
      (other) =>
        !overlap(other, span) &&
        denials.of(other) === undefined &&
        spaceGroupOf(words.slice(other.start, other.end)) !== group,
    )
  );
};

/** Why a value is uncertain; undefined if it is not. */
const whyUncertain = (context: ValueContext, one: SettingMatch, denials: Denials): string | undefined => {
  const { type, key } = one.of;
  const { end } = spanOfValue(one);
  if (isOneOfSeveral(context, { start: spanOf(one.match).start, end }, key)) return 'one of several values';
  if (type === 'space_group' && isOneOfGroups(context, one, denials)) return 'one of several values';
  if (type !== 'integer' || key === 'nproc') return undefined;
  return isBound(context, spanOfValue(one)) ? 'a bound, not the number' : undefined;
};

/** Why a value is not set; undefined if it is. */
const whyNotSet = (context: ValueContext, one: SettingMatch, denials: Denials): string | undefined => {
  const { type, limits } = one.of;
  const value = type === 'word' ? spanOf(one.match) : spanOfValue(one);
  const denial = denials.of(value);
  if (denial !== undefined && limits !== true) return denials.whyNot(value);
  const others = isOfOthers(context, spanOf(one.match)) ? 'said of something else than these data' : undefined;
  return (type === 'word' ? undefined : whyUncertain(context, one, denials)) ?? others;
};

/** "No waters": the words of a flag may contain the negation. */
const deniesItself = /^(?:no|without|any|turn off|switch off|disable|instead of)\b/;

type Found = FoundValue | RefusedValue | undefined;

const setTo = (value: StrategyValue, { of, match }: SettingMatch, { program }: Beside): FoundValue => ({
  ...spanOf(match),
  program: of.program ?? program ?? 'default',
  key: of.key,
  value,
  ofRefinement: of.of_refinement === true,
});

const refusedBecause = ({ match }: SettingMatch, why: string | undefined): RefusedValue | undefined =>
  why === undefined ? undefined : { ...spanOf(match), why };

/** Words that may be negated as a whole: a switch, and an exclusion. */
const switchOf = (context: ValueContext, one: SettingMatch, { mentions, denials }: WordsAround): Found => {
  const { of, match } = one;
  const denial = denials.of(spanOf(match));
  const beside = programBeside(context, spanOf(match), mentions, of.key);
  if (of.type === 'absence') return denial === 'near' ? setTo(false, one, beside) : undefined;
  const isNo = denial === 'near' || deniesItself.test(match[0]);
  return refusedBecause(one, whyNotSwitched(context, one, denials)) ?? setTo(!isNo, one, beside);
};

/** A value with its program, or why it is not set; undefined if the words contain none for this program. */
const settingOf = (context: ValueContext, one: SettingMatch, found: WordsAround): Found => {
  const { of } = one;
  if (of.type === 'flag' || of.type === 'absence') return switchOf(context, one, found);
  // "Data beyond 2 Å are weak" asks for nothing.
  if (of.limits === true && found.denials.of(spanOfValue(one)) === undefined) return undefined;
  const value = valueIn(context, one);
  const several = of.type === 'element' && value !== undefined ? elementsAround(context, spanOfValue(one)) : undefined;
  if (several !== undefined) return { ...several, why: 'one of several values' };
  return value === undefined ? refusedBecause(one, unreadBecause[of.type]) : valueOf(context, one, { ...found, value });
};

const valueOf = (
  context: ValueContext,
  one: SettingMatch,
  { value, mentions, denials }: WordsAround & { readonly value: StrategyValue },
): Found => {
  const { of, match } = one;
  const beside: Beside = of.of_refinement === true ? {} : programBeside(context, spanOf(match), mentions, of.key);
  const { lacking } = beside;
  if (lacking !== undefined && of.program === undefined)
    return { ...withUnit(context, one), program: lacking, why: `${lacking} has no ${of.key}` };
  if (of.only_beside === true && beside.program === undefined) return undefined;
  if (of.left_out === true && denials.of(spanOfValue(one)) === 'near') return setTo(false, one, beside);
  return refusedBecause(one, whyNotSet(context, one, denials)) ?? setTo(value, one, beside);
};

/** "3 Å in autosol and 2 for the rest": the second value has the meaning of the first. */
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
  context: ValueContext,
  taken: readonly Span[],
  found: WordsAround,
  matches: readonly SettingMatch[],
): FoundValues => {
  const values: FoundValue[] = [];
  const refused: RefusedValue[] = [];
  const all = [...matches, ...matches.flatMap((one) => secondMatch(context.sentence, one))];
  for (const one of all) {
    const span = spanOf(one.match);
    const before = [...taken, ...refused, ...values.filter(({ key }) => key === one.of.key)];
    const value = before.some((other) => overlap(span, other)) ? undefined : settingOf(context, one, found);
    if (value === undefined) continue;
    if ('why' in value) refused.push(value);
    else values.push(value);
  }
  return { values, refused: refused.filter((span) => !values.some((other) => overlap(span, other))) };
};

/** "With 2 copies and again with 3 copies", "TLS and no TLS": two values are requested of one parameter, and neither corrects the other. */
const contradicts = ({ plain }: Sentence, one: FoundValue, other: FoundValue): boolean => {
  const isSame = one.key === other.key && one.program === other.program && one.ofRefinement === other.ofRefinement;
  if (!isSame || one.value === other.value) return false;
  const [first, last] = one.start < other.start ? [one, other] : [other, one];
  return !/\b(?:but|instead|rather|is|was)\b|[,;]/.test(plain.slice(first.start, last.start));
};

/** Why a value cannot be set for its program, if so. */
const whyNotFor = ({ programs, experiment }: ValueContext, { program, key, value }: FoundValue): string | undefined => {
  if (programs[program]?.experiments.includes(experiment) === false) return `${program} is not for these data`;
  const matching = Object.values(programs).filter(({ name }) => program === 'default' || name === program);
  const problem = problemWithSetting(key, value, matching);
  return problem === undefined ? undefined : `${key} ${problem.reason}`;
};

/** Values of a sentence that are set, and those that are not. */
export const valuesOf = (
  context: ValueContext,
  found: WordsAround,
  assignments: FoundValues,
  matches: readonly SettingMatch[],
): FoundValues => {
  const assigned = withoutDenied(assignments, found.denials);
  const read = settingsOf(context, [...assigned.values, ...assigned.refused], found, matches);
  const values: FoundValue[] = [];
  const refused: RefusedValue[] = [];
  for (const one of read.values) {
    if (read.values.some((other) => contradicts(context.sentence, one, other))) {
      refused.push({ start: one.start, end: one.end, why: 'one of several values' });
      continue;
    }
    const why = whyNotFor(context, one);
    if (why === undefined) values.push(one);
    else refused.push({ start: one.start, end: one.end, why });
  }
  return {
    values: [...assigned.values, ...values],
    refused: [...assigned.refused, ...read.refused, ...refused],
  };
};

/** Spans of a sentence that contain values: a program's name inside one is not a request. */
export const spansOfValues = (matches: readonly SettingMatch[]): readonly Span[] =>
  matches
    .filter(({ of }) => (of.program !== undefined || of.of_refinement === true) && of.asks !== true)
    .map(({ match }) => spanOf(match));
