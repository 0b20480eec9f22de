import { CsvColumns } from './csv-columns';
import { CsvRecords, type CsvRecord } from './csv-records';
import { manifestFault } from './manifest-fault';
import { longestRow } from './manifest-limits';
import type { ManifestEntry, RowReader } from './manifest-row';
import { rejectedRow } from './read-value';

const delimiters = [',', ';', '\t'] as const;

/** The most frequent delimiter of the header; column names contain none. */
const delimiterOf = (header: string): string =>
  [...delimiters].sort((one, other) => header.split(other).length - header.split(one).length)[0] ?? ',';

const isBlank = ({ cells }: CsvRecord): boolean => cells.every((cell) => cell.trim() === '');

/** CSV: the first line names the columns, each other one is a row; separated by commas, semicolons or tabs, as in the header. */
export class CsvRows implements RowReader {
  private header = '';
  private records: CsvRecords | undefined;
  private columns: CsvColumns | undefined;

  push(text: string): Iterable<ManifestEntry> {
    if (this.records !== undefined) return this.rows(this.records.push(text));
    this.header += text;
    return /\S[^\r\n]*[\r\n]/.test(this.header) || this.header.length > longestRow ? this.begin() : [];
  }

  *end(): Iterable<ManifestEntry> {
    if (this.records === undefined) yield* this.begin();
    yield* this.rows(this.records?.end() ?? []);
  }

  /** The delimiter is known once the header is complete. */
  private begin(): Iterable<ManifestEntry> {
    const text = this.header;
    this.header = '';
    this.records = new CsvRecords(delimiterOf(text.trimStart().split(/[\r\n]/, 1)[0] ?? ''));
    return this.rows(this.records.push(text));
  }

  private *rows(records: Iterable<CsvRecord>): Iterable<ManifestEntry> {
    for (const record of records) {
      if (record.problem === undefined && isBlank(record)) continue;
      if (this.columns === undefined) this.columns = columnsIn(record);
      else yield entryOf(record, this.columns);
    }
  }
}

const columnsIn = ({ problem, cells }: CsvRecord): CsvColumns => {
  if (problem === undefined) return CsvColumns.of(cells);
  throw manifestFault('The header of the manifest cannot be read.', [{ field: 'columns', reason: problem }]);
};

const entryOf = (record: CsvRecord, columns: CsvColumns): ManifestEntry => {
  const { line, cells, problem } = record;
  if (problem !== undefined) return rejectedRow(record, problem);
  if (cells.length === columns.count) return { line, row: columns.rowOf(cells) };
  const reason = `has ${String(cells.length)} cells, and the header has ${String(columns.count)}`;
  return rejectedRow(
    record,
    reason,
    'as many cells as the header; a cell with a delimiter or a quote stands in quotes',
  );
};
