import { patternUnits, type PatternUnit } from './pattern-units';

/** The literal character of this element, or undefined for anything else. */
const literalOf = ({ kind, text, quantifier }: PatternUnit): string | undefined => {
  if (quantifier !== '') return undefined;
  if (kind === 'char') return text;
  return kind === 'escape' && /^\\[^A-Za-z0-9]$/.test(text) ? text.slice(1) : undefined;
};

/** Runs of literal characters outside groups; undefined for a pattern with top-level alternatives. */
const plainRuns = (units: readonly PatternUnit[]): readonly string[] | undefined => {
  const runs = [''];
  let depth = 0;
  for (const unit of units) {
    if (unit.kind === 'alternative' && depth === 0) return undefined;
    if (unit.kind === 'open') depth += 1;
    if (unit.kind === 'close') depth -= 1;
    const literal = depth === 0 ? literalOf(unit) : undefined;
    if (literal === undefined) runs.push('');
    else runs.push((runs.pop() ?? '') + literal);
  }
  return runs;
};

const longest = (texts: readonly string[]): string =>
  texts.reduce((best, text) => (text.length > best.length ? text : best), '');

/**
 * Text that every match must contain: the longest run of literal characters outside groups, classes and options, or undefined. A space in it
 * matches any number of blanks in the line.
 */
export const requiredLiteral = (source: string): string | undefined => {
  const run = longest(plainRuns(patternUnits(source))?.map((one) => one.trim()) ?? []);
  return run.length >= 2 ? run : undefined;
};

/** The longest word of a text. */
export const longestWord = (text: string): string => longest(text.split(' '));
