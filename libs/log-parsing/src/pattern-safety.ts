import { patternUnits, type PatternUnit } from './pattern-units';

/** More wide repetitions than this on one line multiply the worst case too often. */
const mostWide = 2;

const isUnbounded = ({ quantifier }: PatternUnit): boolean => /^(?:[*+]|\{\d+,\})/.test(quantifier);

/** Matches nearly every character. */
const isWide = ({ kind, text }: PatternUnit): boolean =>
  kind === 'any' || (kind === 'class' && text.startsWith('[^')) || (kind === 'escape' && /^\\[SWDw]$/.test(text));

interface Group {
  repeats: boolean;
  alternatives: boolean;
}

const problemOfGroup = (unit: PatternUnit, group: Group): string | undefined => {
  if (!isUnbounded(unit)) return undefined;
  if (group.repeats) return 'a repeated group contains a repetition';
  return group.alternatives ? 'a repeated group contains alternatives' : undefined;
};

/** What a group learns from an element in it, and from a group that ends in it. */
const learn = (around: Group, unit: PatternUnit, closed: Group | undefined): void => {
  around.repeats ||= isUnbounded(unit) || closed?.repeats === true;
  around.alternatives ||= unit.kind === 'alternative';
};

const nesting = (units: readonly PatternUnit[]): string | undefined => {
  const groups: Group[] = [{ repeats: false, alternatives: false }];
  for (const unit of units) {
    const closed = unit.kind === 'close' ? groups.pop() : undefined;
    const problem = closed && problemOfGroup(unit, closed);
    if (problem !== undefined) return problem;
    const around = groups.at(-1);
    if (around === undefined) return 'its parentheses do not match';
    learn(around, unit, closed);
    if (unit.kind === 'open') groups.push({ repeats: false, alternatives: false });
  }
  return undefined;
};

/**
 * Why a pattern could take exponential or cubic time on some line, or undefined. Deliberately strict: a log line is simple, and a
 * pattern that needs nested repetition is better written as two.
 */
export const unsafeBecause = (source: string): string | undefined => {
  const units = patternUnits(source);
  if (units.some(({ kind, text }) => kind === 'escape' && /^\\(?:[1-9]|k)/.test(text)))
    return 'it refers back to a group';
  if (units.filter((unit) => isWide(unit) && isUnbounded(unit)).length > mostWide) {
    return `it has more than ${mostWide} wide repetitions such as .*`;
  }
  return nesting(units);
};
