/**
 * Terminal control characters (C0, C1), invisible characters and those that change the text direction (all format characters: direction marks
 * and overrides, zero-width spaces, tags), other line ends, surrogate halves and the fillers of Hangul. Names and log lines are external
 * text.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164\uffa0]/gu;

/** Valid inside a JSON text too, with the same meaning. */
const escaped = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/**
 * Text with all hidden characters escaped: U+202E as `\u202e`. All text for a terminal or a log must pass through it.
 * @param keeps characters that stay unchanged
 */
export const shownText = (text: string, keeps = ''): string =>
  text.replaceAll(hidden, (char) => (keeps.includes(char) ? char : escaped(char)));

/** One line of text without hidden characters; line breaks and tabs become spaces. */
export const plainLine = (text: string): string => shownText(text.replaceAll(/[\n\t]+/g, ' '));

/** Lines of a program's output without hidden characters. */
export const plainLines = (text: string): string => shownText(text.replaceAll('\r\n', '\n'), '\n\t');

/** Text inside a cell of a Markdown table, or in running Markdown. */
export const markdownCell = (text: string): string => plainLine(text).replaceAll(/([\\|`*_<>[\]])/g, '\\$1');

/** A file name or command as code; backticks inside cannot end it, because the fence is longer than each run of them. */
export const markdownCode = (text: string): string => {
  const line = plainLine(text).replaceAll('|', '\\|');
  const runs = line.match(/`+/g);
  if (runs === null) return `\`${line}\``;
  const fence = '`'.repeat(Math.max(...runs.map((run) => run.length)) + 1);
  return `${fence} ${line} ${fence}`;
};

/** `1 step`, `2 steps`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${String(count)} ${count === 1 ? one : many}`;
