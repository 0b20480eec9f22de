import type { WrittenPart } from '@fleet/contracts/results';
import { plainLine } from '@fleet/session-report';
import { unsupportedNumbers } from './unsupported-numbers';

/** Maximum number of marks. */
const mostMarks = 200;

/**
 * A model's text as one plain line, with all unsupported numbers marked.
 * @param known sorted, the smallest first
 * @param names of metrics that contain digits
 * @param verbatim numbers that must match as written, without rounding
 */
export const writtenPart = <P extends string>(
  { part, title, text }: Pick<WrittenPart<P>, 'part' | 'title' | 'text'>,
  known: ArrayLike<number>,
  names: readonly string[],
  verbatim: ReadonlySet<string> = new Set(),
): WrittenPart<P> => {
  const line = plainLine(text.trim());
  const marked = unsupportedNumbers(line, known, names).filter((one) => !verbatim.has(one.text));
  const unsupported = marked.slice(0, mostMarks);
  return { part, title, text: line, ...(unsupported.length > 0 && { unsupported }) };
};
