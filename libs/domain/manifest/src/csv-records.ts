import { longestRow } from './manifest-limits';

/** One record: its cells, or its problem. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
  /** Its beginning as in the file. */
  readonly text: string;
  readonly problem?: string;
}

type State = 'begin' | 'plain' | 'quoted' | 'closed';

/** Characters of a record that are kept as written. */
const keptText = 200;

/**
 * Records of a CSV file as in RFC 4180, with any delimiter and any line end; quoted cells may contain delimiters, line breaks and doubled
 * quotes. In bounded memory: a record that is too long is skipped, and reading continues after it.
 */
export class CsvRecords {
  private state: State = 'begin';
  private cells: string[] = [];
  private cell = '';
  private size = 0;
  private text = '';
  private problem: string | undefined;
  private line = 1;
  private beganAt = 1;
  private quotedAt = 1;
  private afterReturn = false;

  constructor(private readonly delimiter: string) {}

  *push(text: string): Iterable<CsvRecord> {
    for (const character of text) {
      const isFeed = character === '\n';
      // The second half of a line end that was already handled.
      const isHalf = isFeed && this.afterReturn;
      this.afterReturn = character === '\r';
      if (isHalf) {
        if (this.state === 'quoted') this.keep(character);
        continue;
      }
      const isEnd = isFeed || character === '\r';
      if (isEnd) this.line += 1;
      if (isEnd && this.state !== 'quoted') yield this.take();
      else this.read(character);
    }
  }

  *end(): Iterable<CsvRecord> {
    if (this.state === 'quoted')
      this.problem = `a quote that was opened in line ${String(this.quotedAt)} is never closed: everything behind it would belong to this row`;
    if (this.size > 0) yield this.take();
  }

  private read(character: string): void {
    this.size += character.length;
    if (this.text.length < keptText) this.text += character;
    if (this.state === 'quoted') this.readQuoted(character);
    else if (character === this.delimiter) this.endCell();
    else if (character === '"' && this.state === 'closed') this.reopen();
    else if (this.state === 'closed') this.problem ??= 'text follows a closing quote';
    else if (character === '"' && this.state === 'begin') this.open();
    else this.keepPlain(character);
  }

  private readQuoted(character: string): void {
    if (character === '"') this.state = 'closed';
    else this.keep(character);
  }

  /** A quote after a closing one: both are one quote of the text. */
  private reopen(): void {
    this.keep('"');
    this.state = 'quoted';
  }

  private open(): void {
    this.state = 'quoted';
    this.quotedAt = this.line;
  }

  private keepPlain(character: string): void {
    this.state = 'plain';
    this.keep(character);
  }

  private keep(character: string): void {
    if (this.size > longestRow) this.problem ??= `is too long: more than ${String(longestRow)} characters`;
    else this.cell += character;
  }

  private endCell(): void {
    if (this.size <= longestRow) this.cells.push(this.cell);
    this.cell = '';
    this.state = 'begin';
  }

  private take(): CsvRecord {
    this.endCell();
    const { beganAt: line, cells, text, problem } = this;
    this.cells = [];
    this.size = 0;
    this.text = '';
    this.problem = undefined;
    this.beganAt = this.line;
    return { line, cells, text, ...(problem !== undefined && { problem }) };
  }
}
