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

/**
 * Values of one line of a CIF file; quotes are taken off. Text blocks between semicolons are not for this. Each character is looked at a
 * bounded number of times: a quote without an end is looked for once.
 * @param most values that are wanted; what is behind them is not read
 */
export const cifTokens = (line: string, most = Infinity): readonly string[] => {
  const values: string[] = [];
  let [endlessSingle, endlessDouble] = [false, false];
  let at = 0;
  while (values.length < most) {
    while (at < line.length && isSpace(line.charCodeAt(at))) at += 1;
    if (at === line.length) break;
    const first = line.charCodeAt(at);
    const quoted = (first === single && !endlessSingle) || (first === double && !endlessDouble);
    const end = quoted ? endOfQuoted(line, at) : -1;
    endlessSingle ||= first === single && end < 0;
    endlessDouble ||= first === double && end < 0;
    const after = end < 0 ? endOfBare(line, at) : end + 1;
    values.push(end < 0 ? line.slice(at, after) : line.slice(at + 1, end));
    at = after;
  }
  return values;
};
