/** A position range in a sentence. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const overlap = (one: Span, other: Span): boolean => one.start < other.end && other.start < one.end;

export const spanOf = (match: RegExpExecArray): Span => ({ start: match.index, end: match.index + match[0].length });
