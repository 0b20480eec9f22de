/** Ends of lines, as any reader may see them. */
const lineEnds = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
/** Characters that are not seen, or turn text around: nothing that a model has to read. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u115f\u1160\u3164\uffa0]/gu;
/** Folders of a path: they name people and proposals. */
const folders = /(?:\/[^\s/'"]+)+\/(?=[^\s/'"])/g;

/** One line of plain text, without folders, and no longer than that. */
const plain = (text: string, longest: number): string => {
  const line = text.replaceAll(folders, '').replaceAll(hidden, ' ').trimEnd();
  return line.length > longest ? `${line.slice(0, longest)} …` : line;
};

/**
 * A section with text that others wrote: every line begins with `| `, so that nothing in it can look like its end, or like words of ours.
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
