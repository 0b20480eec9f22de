import type { ManifestEntry, RowReader, RowText } from './manifest-row';
import { readRow } from './read-value';
import { RowLines } from './row-lines';

/** JSON lines: each line that is not empty is an object. */
export class JsonLines implements RowReader {
  private readonly lines = new RowLines();

  push(text: string): Iterable<ManifestEntry> {
    return rowsIn(this.lines.push(text));
  }

  end(): Iterable<ManifestEntry> {
    return rowsIn(this.lines.end());
  }
}

function* rowsIn(lines: Iterable<RowText>): Iterable<ManifestEntry> {
  for (const line of lines) {
    if (line.text.trim() !== '') yield readRow(line, (text) => JSON.parse(text) as unknown);
  }
}
