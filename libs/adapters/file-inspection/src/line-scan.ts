import { bounds, shownCount } from './bounds';
import { tooComplex } from './complexity-faults';
import type { FileSource } from './file-source';

/** Short enough that its text lies in the heap, where the limit of a worker counts it. Bytes. */
const chunkSize = 262_144;

/** Called with each line without its line end; `false` stops the scan. */
export type LineVisitor = (line: string) => boolean;

const lineOf = (text: string, start: number, end: number): string =>
  text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end);

/**
 * Visits the lines of a text file up to `limit` bytes. Bytes are taken as Latin-1: nothing that is read from these files goes beyond
 * ASCII, and no byte can be invalid in it. Takes time in proportion to the bytes, whatever they are.
 * @returns false where the visitor stopped the scan
 * @throws Fault `file.too_complex` for a line that is too long
 */
export const scanLines = async (source: FileSource, limit: number, visit: LineVisitor): Promise<boolean> => {
  const end = Math.min(source.size, limit);
  let number = 0;
  const checked = (length: number): void => {
    number += 1;
    if (length <= bounds.line) return;
    const most = `${shownCount(bounds.line)} characters`;
    throw tooComplex(source.path, `its line ${shownCount(number)} has more than ${most}`, `lines of at most ${most}`);
  };
  let rest = '';
  for (let position = 0; position < end; position += chunkSize) {
    const chunk = await source.read(position, Math.min(chunkSize, end - position));
    const text = rest + chunk.toString('latin1');
    let at = 0;
    for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', at)) {
      checked(next - at);
      if (!visit(lineOf(text, at, next))) return false;
      at = next + 1;
    }
    rest = text.slice(at);
    if (rest.length > bounds.line) checked(rest.length);
  }
  if (rest === '') return true;
  checked(rest.length);
  return visit(lineOf(rest, 0, rest.length));
};
