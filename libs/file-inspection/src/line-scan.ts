import type { FileSource } from './file-source';

const chunkSize = 1_048_576;
/** No line of a crystallographic text file is longer; what is longer is cut. Characters. */
const longestLine = 65_536;

/** Called with each line without its line end; `false` stops the scan. */
export type LineVisitor = (line: string) => boolean;

/**
 * Visits the lines of a text file up to `limit` bytes. Bytes are taken as Latin-1: nothing that is read from these files goes beyond
 * ASCII, and no byte can be invalid in it.
 */
export const scanLines = async (source: FileSource, limit: number, visit: LineVisitor): Promise<void> => {
  const end = Math.min(source.size, limit);
  let rest = '';
  for (let position = 0; position < end; position += chunkSize) {
    const chunk = await source.read(position, Math.min(chunkSize, end - position));
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = (lines.pop() ?? '').slice(0, longestLine);
    if (!visitAll(lines, visit)) return;
  }
  if (rest !== '') visitAll([rest], visit);
};

const visitAll = (lines: readonly string[], visit: LineVisitor): boolean =>
  lines.every((line) => visit(line.endsWith('\r') ? line.slice(0, -1) : line));
