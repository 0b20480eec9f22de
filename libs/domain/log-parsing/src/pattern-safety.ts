import { patternUnits, type PatternUnit } from './pattern-units';

/** More wide repetitions on one line make the worst case too slow. */
const maxWide = 2;

const isUnbounded = ({ quantifier }: PatternUnit): boolean => /^(?:[*+]|\{\d+,\})/.test(quantifier);

/** Matches nearly every character. */
const isWide = ({ kind, text }: PatternUnit): boolean =>
  kind === 'any' || (kind === 'class' && text.startsWith('[^')) || (kind === 'escape' && /^\\[SWDw]$/.test(text));

interface Group {
  repeats: boolean;
  alternatives: boolean;
}

const problemOfGroup = (unit: PatternUnit, group: Group): string | undefined => {
  if (group.repeats && /^(?:[*+]|\{)/.test(unit.quantifier)) return 'a repeated group contains a repetition';
  return group.alternatives && isUnbounded(unit) ? 'a repeated group contains alternatives' : undefined;
};

/** Updates the state of a group with an element in it, or with a nested group that ends. */
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

const isElement = ({ kind }: PatternUnit): boolean =>
  kind === 'class' || kind === 'escape' || kind === 'any' || kind === 'char';

const isOptional = ({ quantifier }: PatternUnit): boolean => /^(?:[*?]|\{0?,)/.test(quantifier);

/** Printable ASCII and blanks, of which log patterns consist. */
const characters = Array.from({ length: 127 }, (_, code) => String.fromCharCode(code)).slice(9);

const overlap = (one: PatternUnit, other: PatternUnit): boolean => {
  const [first, second] = [new RegExp(`^${one.text}$`), new RegExp(`^${other.text}$`)];
  return characters.some((character) => first.test(character) && second.test(character));
};

/** Two adjacent repetitions that can match the same characters in many ways: `\d+\.?\d*`. */
const neighbours = (units: readonly PatternUnit[]): string | undefined => {
  let open: PatternUnit[] = [];
  for (const unit of units) {
    if (unit.kind === 'alternative') open = [];
    if (!isElement(unit)) continue;
    const rival = isUnbounded(unit) ? open.find((earlier) => overlap(earlier, unit)) : undefined;
    if (rival !== undefined) {
      return `its ${rival.text}${rival.quantifier} and ${unit.text}${unit.quantifier} can match the same characters`;
    }
    if (!isOptional(unit)) open = [];
    if (isUnbounded(unit)) open.push(unit);
  }
  return undefined;
};

/**
 * Why a pattern could take exponential or cubic time on some line, or undefined. Deliberately strict: log lines are simple, and a pattern
 * with nested repetition can be split in two.
 */
export const unsafeBecause = (source: string): string | undefined => {
  const units = patternUnits(source);
  if (units.some(({ kind, text }) => kind === 'escape' && /^\\(?:[1-9]|k)/.test(text)))
    return 'it refers back to a group';
  if (units.filter((unit) => isWide(unit) && isUnbounded(unit)).length > maxWide) {
    return `it has more than ${maxWide} wide repetitions such as .*`;
  }
  return nesting(units) ?? neighbours(units);
};
