import { shownText } from '@fleet/session-report';

/** Characters of one line that are shown; a program may write megabytes without a line end. */
const longestLine = 2_000;

/** What terminals obey (ECMA-48): sequences that begin with CSI, OSC, DCS and the like, and the two-character ones. */
const sequences =
  // oxlint-disable-next-line no-control-regex -- these are the very characters that have to go
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]/g;

/** A line as it would have been left on a terminal, as plain text: without colours, the last of what was written over, hidden characters shown. */
export const logLine = (line: string, cut: (count: number) => string): string => {
  const last = line.replace(/\r+$/, '').split('\r').at(-1) ?? '';
  const plain = shownText(last.replaceAll(sequences, ''), '\t').replaceAll('\t', '    ');
  return plain.length <= longestLine ? plain : plain.slice(0, longestLine) + cut(plain.length - longestLine);
};

/** Lines of a log that arrives in parts. */
export interface LogLines {
  readonly lines: readonly string[];
  /** What was written after the last line end. */
  readonly rest: string;
}

export const noLines: LogLines = { lines: [], rest: '' };

/** The lines with what came after them. A rest without an end in sight becomes a line of its own. */
export const withText = ({ lines, rest }: LogLines, text: string): LogLines => {
  const all = (rest + text).split('\n');
  const last = all.pop() ?? '';
  if (last.length <= 1024 * 1024) return { lines: [...lines, ...all], rest: last };
  return { lines: [...lines, ...all, last], rest: '' };
};

/** What was written before these lines; the first of them may be the second half of a line. */
export const withEarlier = ({ lines, rest }: LogLines, text: string): LogLines => {
  const [first = '', ...others] = lines;
  const before = text.split('\n');
  const last = before.pop() ?? '';
  return lines.length === 0
    ? { lines: before, rest: last + rest }
    : { lines: [...before, last + first, ...others], rest };
};
