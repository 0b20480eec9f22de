/** Quantifiers without an upper limit on something that matches nearly everything; each one multiplies the worst case. */
const wide = /(?<!\\)(?:\.|\[\^[^\]]*\]|\\[SWDw])(?:[*+]|\{\d+,\})/g;
const mostWide = 2;

const isUnbounded = (source: string, at: number): boolean => /^(?:[*+]|\{\d+,\})/.test(source.slice(at, at + 12));

/** End of a character class that starts at `at`. */
const classEnd = (source: string, at: number): number => {
  let end = at + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return end;
};

interface Group {
  unbounded: boolean;
  alternatives: boolean;
}

const closeGroup = (source: string, at: number, groups: Group[]): string | undefined => {
  const group = groups.pop();
  const repeated = isUnbounded(source, at + 1);
  if (group !== undefined && repeated && group.unbounded) return 'a repeated group contains a repetition';
  if (group !== undefined && repeated && group.alternatives) return 'a repeated group contains alternatives';
  const outer = groups.at(-1);
  if (outer !== undefined && (repeated || group?.unbounded === true)) outer.unbounded = true;
  return undefined;
};

const nesting = (source: string): string | undefined => {
  const groups: Group[] = [];
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at];
    const group = groups.at(-1);
    if (char === '\\') at += 1;
    else if (char === '[') at = classEnd(source, at);
    else if (char === '(') groups.push({ unbounded: false, alternatives: false });
    else if (char === '|' && group !== undefined) group.alternatives = true;
    else if (char === ')') {
      const problem = closeGroup(source, at, groups);
      if (problem !== undefined) return problem;
    }
    if (group !== undefined && char !== '(' && char !== ')' && isUnbounded(source, at + 1)) group.unbounded = true;
  }
  return undefined;
};

/**
 * Why a pattern could take exponential or cubic time on some line, or undefined. Deliberately strict: a log line is simple, and a
 * pattern that needs nested repetition is better written as two.
 */
export const unsafeBecause = (source: string): string | undefined => {
  if (/\\[1-9]|\\k</.test(source)) return 'it refers back to a group';
  if ((source.match(wide) ?? []).length > mostWide) return `it has more than ${mostWide} wide repetitions such as .*`;
  return nesting(source);
};
