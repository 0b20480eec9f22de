import { shownText } from '@fleet/session-report';

/** Maximum displayed characters of a line; a program may write megabytes without a line end. */
const longestLine = 2_000;

/**
 * Terminal control sequences (ECMA-48): those that begin with CSI, OSC, DCS and similar, and the two-character ones.
 */
const sequences =
  // oxlint-disable-next-line no-control-regex -- these are the very characters that have to go
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]/g;

/**
 * A line as it would remain on a terminal, as plain text: without colours, overwritten parts replaced, control
 * characters visible.
 */
export const logLine = (line: string, cut: (count: number) => string): string => {
  const last = line.replace(/\r+$/, '').split('\r').at(-1) ?? '';
  const plain = shownText(last.replaceAll(sequences, ''), '\t').replaceAll('\t', '    ');
  return plain.length <= longestLine ? plain : plain.slice(0, longestLine) + cut(plain.length - longestLine);
};

/** Lines of a log that arrives in chunks. */
export interface LogLines {
  readonly lines: readonly string[];
  /** Text after the last line end. */
  readonly rest: string;
}

export const noLines: LogLines = { lines: [], rest: '' };

/** Appends text to the lines. A very long rest becomes a separate line. */
export const withText = ({ lines, rest }: LogLines, text: string): LogLines => {
  const all = (rest + text).split('\n');
  const last = all.pop() ?? '';
  if (last.length <= 1024 * 1024) return { lines: [...lines, ...all], rest: last };
  return { lines: [...lines, ...all, last], rest: '' };
};

/** Prepends earlier text; the first line may be continued from it. */
export const withEarlier = ({ lines, rest }: LogLines, text: string): LogLines => {
  const [first = '', ...others] = lines;
  const before = text.split('\n');
  const last = before.pop() ?? '';
  return lines.length === 0
    ? { lines: before, rest: last + rest }
    : { lines: [...before, last + first, ...others], rest };
};
