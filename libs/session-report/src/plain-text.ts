/** Everything that a terminal would obey, and what turns text around: names and log lines come from outside. */
const control = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One line of text without control characters; line breaks and tabs become spaces. */
export const plainLine = (text: string): string => text.replaceAll(/[\n\t]+/g, ' ').replaceAll(control, escaped);

/** Text inside a cell of a Markdown table, or in running Markdown. */
export const markdownCell = (text: string): string => plainLine(text).replaceAll(/([\\|`*_<>[\]])/g, '\\$1');

/** A file name or command as code; backticks inside cannot end it, for the fence is longer than each run of them. */
export const markdownCode = (text: string): string => {
  const line = plainLine(text).replaceAll('|', '\\|');
  const runs = line.match(/`+/g);
  if (runs === null) return `\`${line}\``;
  const fence = '`'.repeat(Math.max(...runs.map((run) => run.length)) + 1);
  return `${fence} ${line} ${fence}`;
};
