/** Line ends for any reader. */
const lineEnds = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
/** Characters that are invisible, or change the text direction: models need none of them. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u115f\u1160\u3164\uffa0]/gu;
/** Folders of a path: they name people and proposals. */
const folders = /(?:\/[^\s/'"]+)+\/(?=[^\s/'"])/g;

/** One line of plain text without folders, truncated to this length. */
const plain = (text: string, longest: number): string => {
  const line = text.replaceAll(folders, '').replaceAll(hidden, ' ').trimEnd();
  return line.length > longest ? `${line.slice(0, longest)} …` : line;
};

/**
 * A section with external text: every line begins with `| `, so that nothing in it can look like its end, or like our own text.
 * @param limits lines, and characters of each
 */
export const quoted = (
  title: string,
  texts: readonly string[],
  limits: { readonly lines: number; readonly characters: number },
): string => {
  const lines = texts
    .flatMap((text) => text.split(lineEnds))
    .map((line) => plain(line, limits.characters))
    .filter((line) => line.trim() !== '');
  const shown = lines.slice(0, limits.lines);
  const more = lines.length > shown.length ? ['| …'] : [];
  return [`## ${title}`, ...(shown.length === 0 ? ['| (none)'] : shown.map((line) => `| ${line}`)), ...more].join('\n');
};
