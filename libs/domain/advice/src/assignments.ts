import type { StrategyValue } from '@fleet/contracts/schema';
import { problemWithSetting, strategyKeyNamed, type ProgramKnowledge } from '@fleet/knowledge-model';
import { matchesOf } from './compile-words';
import { elementsAround } from './elements';
import type { Mention } from './marks';
import type { Denials } from './negations';
import { cellIn } from './numbers';
import { spaceGroupOf, symbolAt } from '@fleet/symmetry';
import { spanOf, type Span } from './spans';
import {
  isOneOfSeveral,
  programBeside,
  type FoundValue,
  type FoundValues,
  type Programs,
  type RefusedValue,
  type ValueContext,
} from './value-context';

/** `key=value`, in PHENIX syntax. A quoted value may contain blanks. */
const assignment = /(?<![\w.])(?:phenix\.)?([a-z][\w.]{0,80}) ?= ?('[^'\n]{0,300}'|"[^"\n]{0,300}"|[^\s;]{1,200})/gi;

/** A parameter's name before its value: "build_in_regions off", "thoroughness: quick". The value may itself be a name, so it is only looked at. */
const spoken =
  /(?<![\w.=-])(?:phenix\.)?([a-z]\w{3,80})(?=(?: ?:| to| is| of \w[\w.]{2,30} to)? (\w[\w-]{0,40}(?:\.\d{1,6})?)(?![\w=(]))/dgi;

const isQuoted = (text: string): boolean => /^(['"]).*\1$/s.test(text);

/** An unclosed quote: not a value, the words are reported as not followed. */
const isUnclosed = (text: string): boolean => /^['"]/.test(text) && !isQuoted(text);

/** Without surrounding punctuation: `Fe,` of "atom_type=Fe, sites=4", `2.5` of "(resolution=2.5)". */
const bareWord = (text: string): string => {
  const [word = ''] = text.split(/,(?=[a-z][\w.]*=)/i);
  const isOpen = word.includes('(');
  return word.replace(isOpen ? /[.,:!?]+$/ : /[.,:!?)\]]+$/, '');
};

type Type = ProgramKnowledge['strategy'][number]['type'];

/** Types whose values may contain unquoted blanks: returns the part of the text that is a value. */
const whole: Partial<Record<Type, (text: string) => string | undefined>> = {
  selection: (text) => /^[^,;\n]{0,300}/.exec(text)?.[0].replace(/[.]+$/, '').trim(),
  space_group: symbolAt,
  unit_cell: cellIn,
};

const readers: Partial<Record<Type, (text: string) => StrategyValue>> = {
  space_group: (text) => spaceGroupOf(text) ?? text,
  number: (text) => (/^-?\d+,\d+$/.test(text) ? Number(text.replace(',', '.')) : text),
};

const plainValue = (text: string): StrategyValue => {
  if (/^(?:true|yes|on)$/i.test(text)) return true;
  if (/^(?:false|no|off)$/i.test(text)) return false;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
};

/** The owner of a key: the program named beside it, the only one that has it, otherwise all that have it. */
const ownerOf = (context: ValueContext, span: Span, key: string, mentions: readonly Mention[]): string | undefined => {
  const { program: beside } = programBeside(context, span, mentions, key);
  if (beside !== undefined) return beside;
  const [only, ...others] = Object.values(context.programs).filter(
    (program) => strategyKeyNamed(program, key) !== undefined,
  );
  return others.length > 0 ? 'default' : only?.name;
};

const meantBy = (programs: Programs, owner: string, key: string): readonly ProgramKnowledge[] =>
  Object.values(programs).filter((program) =>
    owner === 'default' ? strategyKeyNamed(program, key) !== undefined : program.name === owner,
  );

/** The strategy key if all programs agree on it, otherwise the name as given. */
const nameOf = (programs: readonly ProgramKnowledge[], name: string): string => {
  const keys = new Set(programs.map((program) => strategyKeyNamed(program, name)?.key));
  return keys.size === 1 ? ([...keys][0] ?? name) : name;
};

const typeOf = ([program]: readonly ProgramKnowledge[], key: string): Type | undefined =>
  program === undefined ? undefined : strategyKeyNamed(program, key)?.type;

/** The value, and the length of its text. */
const valueAt = (
  words: string,
  { from, given }: { readonly from: number; readonly given: string },
  type: Type | undefined,
): { readonly text: string; readonly value: StrategyValue } => {
  const text = isQuoted(given)
    ? given
    : ((type === undefined ? undefined : whole[type]?.(words.slice(from))) ?? bareWord(given));
  const bare = isQuoted(text) ? text.slice(1, -1) : text;
  const value = (type === undefined ? undefined : readers[type]?.(bare)) ?? bare;
  return { text, value: typeof value === 'string' ? plainValue(value) : value };
};

/** A key with the text given for it, which begins at `from`. */
interface Given {
  readonly key: string;
  readonly given: string;
  readonly start: number;
  readonly from: number;
}

const givenIn = (words: string): readonly Given[] =>
  !words.includes('=')
    ? []
    : matchesOf(assignment, words).map((match) => {
        const [, key = '', given = ''] = match;
        const { start, end } = spanOf(match);
        return { key, given, start, from: end - given.length };
      });

/** Whether a word is certainly a value of a key. */
const isWordOf = (key: ProgramKnowledge['strategy'][number], given: string): boolean => {
  if (key.type === 'boolean') return /^(?:true|false|yes|no|on|off)$/i.test(given);
  if (key.type === 'integer' || key.type === 'number') return /^\d+(?:\.\d+)?$/.test(given);
  if (key.type === 'name') return /^[A-Z]/.test(given);
  return key.type === 'choice' && key.choices.includes(given.toLowerCase());
};

const choices = new WeakMap<Programs, ReadonlySet<string>>();

/** Keys whose values are words of a list; computed once for the programs of a rule book. */
const choicesOf = (programs: Programs): ReadonlySet<string> => {
  const known = choices.get(programs);
  if (known !== undefined) return known;
  const all = Object.values(programs).flatMap(({ strategy }) => strategy.filter(({ type }) => type === 'choice'));
  const keys = new Set(all.map(({ key }) => key));
  choices.set(programs, keys);
  return keys;
};

/** Without "=", only names with an underscore and those of choices, with values that fit them. */
const spokenIn = ({ sentence: { words }, programs }: ValueContext): readonly Given[] =>
  matchesOf(spoken, words).flatMap((match) => {
    const [, key = '', given = ''] = match;
    if (!key.includes('_') && !choicesOf(programs).has(key)) return [];
    const known = Object.values(programs).flatMap((program) => strategyKeyNamed(program, key) ?? []);
    return known.some((one) => isWordOf(one, given))
      ? [{ key, given, start: match.index, from: match.indices?.[2]?.[0] ?? match.index }]
      : [];
  });

/** The program of a command line: "phenix.refine model.pdb data.mtz nproc=4" up to the assignment. */
const commandHead = /^\s*(phenix\.\w+)(?:\s+(?:\\|[^\s=]*[.\\/=][^\s]*))*\s*$/i;

const commandOf = ({ sentence: { words, files } }: ValueContext, { start, from, given }: Given): string | undefined => {
  if (!/^\s*phenix\./i.test(words)) return undefined;
  // "phenix.autosol data=peak.mtz": a file, and no parameter.
  const isFile = files.some((file) => file.start >= from && file.end <= from + given.length);
  return isFile ? undefined : commandHead.exec(words.slice(0, start))?.[1]?.toLowerCase();
};

/** One assignment; undefined if no program has the key, which is left to the sentence reader. */
const assignedIn = (
  context: ValueContext,
  one: Given,
  mentions: readonly Mention[],
): FoundValue | RefusedValue | undefined => {
  const { key, given, start, from } = one;
  const program = commandOf(context, one) ?? ownerOf(context, { start, end: from + given.length }, key, mentions);
  if (program === undefined || isUnclosed(given)) return undefined;
  const matching = meantBy(context.programs, program, key);
  const type = typeOf(matching, key);
  const { text, value } = valueAt(context.sentence.words, { from, given }, type);
  const span = { start, end: from + text.length };
  const several = type === 'element' ? elementsAround(context, { start: from, end: span.end }) : undefined;
  if (several !== undefined) return { start, end: several.end, why: 'one of several values' };
  if (typeof value === 'number' && isOneOfSeveral(context, { start: from, end: span.end }, key))
    return { ...span, why: 'one of several values' };
  const problem = problemWithSetting(key, value, matching);
  return problem === undefined
    ? { ...span, program, key: nameOf(matching, key), value, ofRefinement: false }
    : { ...span, why: `${key} ${problem.reason}` };
};

/** Explicit assignments. */
export const assignmentsOf = (context: ValueContext, mentions: readonly Mention[]): FoundValues => {
  const found = [...givenIn(context.sentence.words), ...spokenIn(context)].flatMap(
    (given) => assignedIn(context, given, mentions) ?? [],
  );
  return {
    values: found.filter((one): one is FoundValue => 'key' in one),
    refused: found.filter((one): one is RefusedValue => 'why' in one),
  };
};

/** Removes negated assignments; a negated switch is inverted: "never set nproc=8", "do not set tls=True". */
export const withoutDenied = ({ values, refused }: FoundValues, denials: Denials): FoundValues => {
  const read = values.map((one): FoundValue | RefusedValue => {
    const denial = denials.of(one);
    if (denial === undefined) return one;
    if (typeof one.value === 'boolean' && denial === 'near') return { ...one, value: !one.value };
    return { start: one.start, end: one.end, why: denials.whyNot(one) };
  });
  return {
    values: read.filter((one): one is FoundValue => 'key' in one),
    refused: [...refused, ...read.filter((one): one is RefusedValue => 'why' in one)],
  };
};
