/** Text that every match must contain: the longest run of plain characters outside groups, classes and options, or undefined. */
export const requiredLiteral = (source: string): string | undefined => {
  if (hasTopLevelAlternatives(source)) return undefined;
  const runs = plainRuns(source);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest.length >= 2 ? longest : undefined;
};

const skipGroup = (source: string, at: number): number => {
  let depth = 0;
  for (let end = at; end < source.length; end += 1) {
    const char = source[end];
    if (char === '\\') end += 1;
    else if (char === '[') end = skipClass(source, end);
    else if (char === '(') depth += 1;
    else if (char === ')' && --depth === 0) return end;
  }
  return source.length;
};

const skipClass = (source: string, at: number): number => {
  let end = at + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return end;
};

const hasTopLevelAlternatives = (source: string): boolean => {
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at];
    if (char === '\\') at += 1;
    else if (char === '[') at = skipClass(source, at);
    else if (char === '(') at = skipGroup(source, at);
    else if (char === '|') return true;
  }
  return false;
};

interface Unit {
  /** The character that must stand here, or undefined for anything else. */
  readonly literal: string | undefined;
  readonly end: number;
}

const unitAt = (source: string, at: number): Unit => {
  const char = source[at];
  if (char === '\\') {
    const escaped = source[at + 1] ?? '';
    return { literal: /[^A-Za-z0-9]/.test(escaped) ? escaped : undefined, end: at + 2 };
  }
  if (char === '[') return { literal: undefined, end: skipClass(source, at) + 1 };
  if (char === '(') return { literal: undefined, end: skipGroup(source, at) + 1 };
  return { literal: char !== undefined && !'.^$*+?{}'.includes(char) ? char : undefined, end: at + 1 };
};

const plainRuns = (source: string): readonly string[] => {
  const runs: string[] = [''];
  for (let at = 0; at < source.length;) {
    const unit = unitAt(source, at);
    const quantifier = /^(?:[*+?]|\{\d*,?\d*\})\??/.exec(source.slice(unit.end, unit.end + 14))?.[0] ?? '';
    if (unit.literal === undefined || quantifier !== '') runs.push('');
    else runs.push((runs.pop() ?? '') + unit.literal);
    at = unit.end + quantifier.length;
  }
  return runs;
};
