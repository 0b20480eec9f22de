import { CORE_SCHEMA, load } from 'js-yaml';
import { manifestFault } from './manifest-fault';
import { longestRow } from './manifest-limits';
import type { ManifestEntry, RowReader, RowText } from './manifest-row';
import { readRow } from './read-value';
import { RowLines } from './row-lines';

/** The first line of a list entry. */
const begins = /^-(\s|$)/;
/** Lines between entries: comments, and document marks. */
const between = /^\s*(#.*)?$|^(---|\.\.\.|%).*$/;

/**
 * YAML: a list whose entries begin with "- " at the start of a line. Each is parsed separately when it is complete, so that the manifest is
 * never in memory as a whole, and an invalid entry does not affect others. Therefore anchors of one entry are not known in another.
 */
export class YamlEntries implements RowReader {
  private readonly lines = new RowLines();
  private entry: { line: number; text: string; cut: boolean } | undefined;

  *push(text: string): Iterable<ManifestEntry> {
    for (const line of this.lines.push(text)) yield* this.take(line);
  }

  *end(): Iterable<ManifestEntry> {
    for (const line of this.lines.end()) yield* this.take(line);
    yield* this.finish();
  }

  private *take(line: RowText): Iterable<ManifestEntry> {
    if (begins.test(line.text)) {
      yield* this.finish();
      this.entry = { ...line };
    } else if (this.entry === undefined) {
      if (!between.test(line.text)) throw noList(line.line);
    } else if (/^\S/.test(line.text) && between.test(line.text)) {
      // A comment or the end of a document at the start of a line belongs to no entry.
      yield* this.finish();
    } else this.append(line);
  }

  private append({ text, cut }: RowText): void {
    if (this.entry === undefined) return;
    const { entry } = this;
    const whole = `${entry.text}\n${text}`;
    entry.text = whole.slice(0, longestRow);
    entry.cut ||= cut || whole.length > longestRow;
  }

  private *finish(): Iterable<ManifestEntry> {
    const { entry } = this;
    this.entry = undefined;
    if (entry !== undefined) yield readRow(entry, entryIn);
  }
}

const entryIn = (text: string): unknown => {
  const list: unknown = load(text, { schema: CORE_SCHEMA });
  return Array.isArray(list) && list.length === 1 ? (list[0] as unknown) : list;
};

const noList = (line: number): Error =>
  manifestFault(`Line ${String(line)} of the manifest is not an entry of a list.`, [
    {
      field: 'manifest',
      reason: `line ${String(line)} is not an entry of a list`,
      allowed: 'YAML: a list whose entries begin with "- " at the beginning of a line',
    },
  ]);
