import type { WrittenPart } from '@fleet/contracts/results';
import { plainLine } from '@fleet/session-report';
import { unsupportedNumbers } from './unsupported-numbers';

/** Nobody reads more. */
const mostMarks = 200;

/**
 * What a model wrote as one plain line, each number that is none of these marked.
 * @param known sorted, the smallest first
 * @param names of metrics, in which digits are not numbers
 * @param verbatim numbers that count as they are written, and not rounded
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
