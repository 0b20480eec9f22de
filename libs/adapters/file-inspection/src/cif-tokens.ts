const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
const single = 39;
const double = 34;

/** The end of the token that begins at `start`: the next space, or the end of the line. */
const endOfBare = (line: string, start: number): number => {
  let at = start;
  while (at < line.length && !isSpace(line.charCodeAt(at))) at += 1;
  return at;
};

/** Where a quoted value ends: at a quote with a space or nothing behind it. -1 where there is none. */
const endOfQuoted = (line: string, start: number): number => {
  const quote = line[start] ?? '';
  for (let at = line.indexOf(quote, start + 1); at >= 0; at = line.indexOf(quote, at + 1)) {
    if (at + 1 === line.length || isSpace(line.charCodeAt(at + 1))) return at;
  }
  return -1;
};

/** Reads one line. Each character is looked at a bounded number of times: a quote without an end is looked for once. */
class LineTokens {
  private at = 0;
  private readonly endless = { single: false, double: false };

  constructor(private readonly line: string) {}

  /** The next value, or undefined at the end of the line. */
  next(): string | undefined {
    while (this.at < this.line.length && isSpace(this.line.charCodeAt(this.at))) this.at += 1;
    if (this.at === this.line.length) return undefined;
    const start = this.at;
    const end = this.quotedEnd(start);
    this.at = end < 0 ? endOfBare(this.line, start) : end + 1;
    return end < 0 ? this.line.slice(start, this.at) : this.line.slice(start + 1, end);
  }

  private quotedEnd(start: number): number {
    const first = this.line.charCodeAt(start);
    if (first !== single && first !== double) return -1;
    const kind = first === single ? 'single' : 'double';
    if (this.endless[kind]) return -1;
    const end = endOfQuoted(this.line, start);
    this.endless[kind] = end < 0;
    return end;
  }
}

/**
 * Values of one line of a CIF file; quotes are taken off. Text blocks between semicolons are not for this.
 * @param most values that are wanted; what is behind them is not read
 */
export const cifTokens = (line: string, most = Infinity): readonly string[] => {
  const tokens = new LineTokens(line);
  const values: string[] = [];
  while (values.length < most) {
    const value = tokens.next();
    if (value === undefined) break;
    values.push(value);
  }
  return values;
};
