import type { Metric } from '@fleet/contracts/sessions';
import { Fault } from '@fleet/contracts/faults';
import type { MetricPattern } from '@fleet/knowledge-model';
import type { LineReader, LogLine } from './line-reader';
import { longestWord, requiredLiteral } from './pattern-literal';
import { unsafeBecause } from './pattern-safety';

interface Matcher {
  readonly regexp: RegExp;
  /** The same with the global flag, for all matches of a line. */
  readonly every: RegExp;
  /** Contained in every matching line. */
  readonly literal: string | undefined;
  /** A word of it: a cheap test that skips the expression for most lines. */
  readonly word: string;
}

export interface CompiledPattern {
  readonly pattern: MetricPattern;
  readonly match: Matcher;
  readonly after: Matcher | undefined;
  readonly until: Matcher | undefined;
  /** Metric name and the group with its value. */
  readonly values: readonly (readonly [metric: string, group: string])[];
  /** The literals of all its expressions; absent if one of them has none. */
  readonly triggers: readonly string[] | undefined;
}

/** R-free below R-work by more than this indicates a swapped or foreign pair. Fraction. Shaken starting models reach 0.007 (5a3h). */
const freeBelowWork = 0.02;

const refuse = (id: string, field: string, reason: string): never => {
  throw new Fault('knowledge.bad_pattern', 'bug', `metric pattern ${id}: ${field} ${reason}`, {
    problems: [{ field: `metrics.${id}.${field}`, reason }],
  });
};

/** Lines have no runs of blanks (LogLine), so a pattern that requires one would never match. */
const blanksRule = /\\s|\\t| {2}|^\^ | \$$/;

const compileMatcher = (id: string, field: string, source: string): Matcher => {
  if (blanksRule.test(source)) refuse(id, field, 'asks for blanks otherwise than by one space between two words');
  const unsafe = unsafeBecause(source);
  if (unsafe !== undefined) refuse(id, field, `may take very long on some line: ${unsafe}`);
  try {
    const literal = requiredLiteral(source);
    return { regexp: new RegExp(source), every: new RegExp(source, 'g'), literal, word: longestWord(literal ?? '') };
  } catch (cause) {
    return refuse(id, field, `is not a regular expression: ${String(cause)}`);
  }
};

const optional = (id: string, field: string, source: string | undefined): Matcher | undefined =>
  source === undefined ? undefined : compileMatcher(id, field, source);

/** @throws Fault `knowledge.bad_pattern` for an invalid or potentially very slow expression, or one without its named group */
export const compilePattern = (pattern: MetricPattern): CompiledPattern => {
  const match = compileMatcher(pattern.id, 'pattern', pattern.pattern);
  const values = Object.entries(pattern.metrics ?? { [pattern.metric]: 'value' });
  const hasGroup = (group: string): boolean => pattern.pattern.includes(`(?<${group}>`);
  for (const [, group] of values) {
    if (pattern.type !== 'boolean' && pattern.means === undefined && !hasGroup(group))
      refuse(pattern.id, 'pattern', `has no group named ${group}`);
  }
  const after = optional(pattern.id, 'after', pattern.after);
  const until = optional(pattern.id, 'until', pattern.until);
  return { pattern, match, after, until, values, triggers: triggersOf([match, after, until]) };
};

const matches = ({ regexp, word }: Matcher, line: LogLine): boolean =>
  line.printed.includes(word) && regexp.test(line.text);

const isFalseWord = (word: string | undefined): boolean =>
  word !== undefined && /^(false|no|none|0)$/i.test(word.trim());

const numberWords = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/** Commas separate thousands; small numbers may be words. NaN for anything else. */
const numberIn = (text: string): number => {
  const word = numberWords.indexOf(text.toLowerCase());
  return word < 0 ? Number(text.replaceAll(',', '')) : word;
};

/** A number within the pattern's limits, or undefined. */
const numberOf = ({ type, scale, min, max }: MetricPattern, text: string): number | undefined => {
  const value = numberIn(text) * (scale ?? 1);
  const inside = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  return inside && (type !== 'integer' || Number.isInteger(value)) ? Number(value.toPrecision(12)) : undefined;
};

const valueOf = ({ pattern }: CompiledPattern, text: string | undefined): Metric['value'] | undefined => {
  if (pattern.means !== undefined) return pattern.means;
  if (pattern.type === 'boolean') return !isFalseWord(text);
  if (text === undefined) return undefined;
  return pattern.type === 'string' ? text.trim().slice(0, 500) : numberOf(pattern, text);
};

const isPairOfOneModel = (values: ReadonlyMap<string, Metric['value']>): boolean => {
  const [work, free] = [values.get('r_work'), values.get('r_free')];
  return typeof work !== 'number' || typeof free !== 'number' || free >= work - freeBelowWork;
};

const triggersOf = (matchers: readonly (Matcher | undefined)[]): readonly string[] | undefined => {
  const literals = matchers.flatMap((matcher) => (matcher === undefined ? [] : [matcher.literal]));
  const known = literals.filter((literal) => literal !== undefined);
  return known.length === literals.length ? known : undefined;
};

/** Reads one pattern of knowledge/programs/NAME.yaml. */
class PatternReader implements LineReader {
  private found = new Map<string, Metric>();
  readonly triggers?: readonly string[];
  private open: boolean;

  constructor(private readonly compiled: CompiledPattern) {
    this.open = compiled.after === undefined;
    if (compiled.triggers !== undefined) this.triggers = compiled.triggers;
  }

  line(line: LogLine): void {
    const { after, until, match } = this.compiled;
    if (!this.open) {
      this.open = after !== undefined && matches(after, line);
      return;
    }
    if (until !== undefined && matches(until, line)) {
      this.open = false;
      return;
    }
    // A line may contain a value several times: Phaser's "SOLU SET" has one for each placed copy.
    if (matches(match, line)) for (const matched of line.text.matchAll(match.every)) this.keep(matched, line.number);
  }

  metrics(): readonly Metric[] {
    return [...this.found.values()];
  }

  private keep(matched: RegExpExecArray, line: number): void {
    const values = new Map<string, Metric['value']>();
    for (const [metric, group] of this.compiled.values) {
      const value = valueOf(this.compiled, matched.groups?.[group]);
      // A line counts as a whole: a sentinel in one column invalidates the others too.
      if (value === undefined) return;
      values.set(metric, value);
    }
    if (isPairOfOneModel(values) && this.isBetter(values))
      this.found = new Map([...values].map(([name, value]) => [name, this.metric(name, value, line)]));
  }

  /** A line counts as a whole here too: the best row of a table gives all its values. */
  private isBetter(values: ReadonlyMap<string, Metric['value']>): boolean {
    const { metric, take } = this.compiled.pattern;
    const [known, value] = [this.found.get(metric)?.value, values.get(metric)];
    if (take === undefined || known === undefined || value === undefined) return true;
    switch (take) {
      case 'first':
        return false;
      case 'min':
        return value < known;
      case 'max':
        return value > known;
    }
  }

  private metric(name: string, value: Metric['value'], line: number): Metric {
    const { id, unit } = this.compiled.pattern;
    return { name, value, line, pattern: id, ...(unit === undefined ? {} : { unit }) };
  }
}

export const patternReader = (compiled: CompiledPattern): LineReader => new PatternReader(compiled);
