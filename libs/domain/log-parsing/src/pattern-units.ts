/** One element of a regular expression with its quantifier. Groups appear as their parentheses. */
export interface PatternUnit {
  readonly kind: 'open' | 'close' | 'alternative' | 'class' | 'escape' | 'any' | 'assertion' | 'char';
  readonly text: string;
  /** `*`, `+?`, `{2,}` and so on, or nothing. */
  readonly quantifier: string;
}

const element =
  /(?<class>\[(?:\\.|[^\]\\])*\])|(?<escape>\\(?:k<\w+>|[\s\S]))|(?<open>\((?:\?(?:<[=!]|<\w+>|[:=!]))?)|(?<close>\))|(?<alternative>\|)|(?<assertion>[\^$])|(?<any>\.)|(?<char>[\s\S])/g;
const quantifierHere = /(?:[*+?]|\{\d*,?\d*\})\??/y;

const kinds = ['open', 'close', 'alternative', 'class', 'escape', 'any', 'assertion', 'char'] as const;

const quantifierAt = (source: string, at: number): string => {
  quantifierHere.lastIndex = at;
  return quantifierHere.exec(source)?.[0] ?? '';
};

/** The elements of a pattern in order. */
export const patternUnits = (source: string): readonly PatternUnit[] => {
  const units: PatternUnit[] = [];
  let end = 0;
  for (const match of source.matchAll(element)) {
    if (match.index < end) continue;
    const [text] = match;
    const kind = kinds.find((name) => match.groups?.[name] !== undefined) ?? 'char';
    const quantifier = kind === 'open' || kind === 'alternative' ? '' : quantifierAt(source, match.index + text.length);
    units.push({ kind, text, quantifier });
    end = match.index + text.length + quantifier.length;
  }
  return units;
};
