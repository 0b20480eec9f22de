import type { Metric } from '@fleet/contracts/sessions';
import type { ErrorKnowledge, ProgramKnowledge, TableName } from '@fleet/knowledge-model';
import type { LineReader } from './line-reader';
import { LineDispatch, triggerOf } from './line-dispatch';
import { LineSplitter } from './line-splitter';
import { LogSigns, SignFormat, type Signs } from './log-signs';
import { LogTail } from './log-tail';
import { reportEnd, reportTitle } from './metrics-report';
import { compilePattern, patternReader, type CompiledPattern } from './pattern-reader';
import { tableReaders } from './table-readers';

/** The result of one pass over a log. Its size does not depend on the log's. */
export interface LogReading {
  readonly metrics: readonly Metric[];
  readonly lines: number;
  readonly bytes: number;
  /** Number of lines longer than 64 KiB, which were cut. */
  readonly cutLines: number;
  /** The last lines, oldest first, without blank lines and the agent's own trailer. */
  readonly tail: readonly string[];
  readonly signs: Signs;
}

/**
 * Patterns are matched against this much of a line: result lines are short, and a pattern's worst case grows with the square of the length.
 */
const matchedWidth = 2_048;
const tailLines = 200;
const tailWidth = 1_000;

/** Reads one log; feed it chunks of any size, then `end`. */
export class LogReader {
  private readonly tail = new LogTail(tailLines, tailWidth);
  private readonly splitter = new LineSplitter((line, number, cut) => this.line(line, number, cut));
  private bytes = 0;
  private cutLines = 0;
  private inTrailer = false;

  private readonly dispatch: LineDispatch;

  constructor(
    readers: readonly LineReader[],
    anyTrigger: RegExp | undefined,
    private readonly signs: LogSigns,
  ) {
    this.dispatch = new LineDispatch(readers, anyTrigger);
  }

  push(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    this.splitter.push(chunk);
  }

  end(): LogReading {
    const lines = this.splitter.end();
    const [metrics, tail, signs] = [this.metrics(), this.tail.read(), this.signs.end()];
    return { metrics, lines, bytes: this.bytes, cutLines: this.cutLines, tail, signs };
  }

  private line(line: string, number: number, cut: boolean): void {
    if (cut) this.cutLines += 1;
    if (line === '' || this.skipsTrailer(line)) return;
    this.tail.add(line);
    this.signs.follow(line.length > tailWidth ? line.slice(0, tailWidth) : line);
    // A bare carriage return overwrites the line on a terminal: every state of it is read.
    if (line.includes('\r')) for (const part of line.split('\r', tailLines)) this.read(part, number);
    else this.read(line, number);
  }

  private read(text: string, number: number): void {
    const seen = text.length > matchedWidth ? text.slice(0, matchedWidth) : text;
    if (this.dispatch.line(seen, number)) this.signs.begin(seen);
  }

  /** The agent's report at the end of a log is its own reading, not the program's. */
  private skipsTrailer(line: string): boolean {
    if (!this.inTrailer) {
      this.inTrailer = line === reportTitle;
      return this.inTrailer;
    }
    if (reportEnd.test(line)) this.inTrailer = false;
    return true;
  }

  /** If several readers find a metric, the first one counts: tables, then the patterns in the order of the knowledge file. */
  private metrics(): readonly Metric[] {
    const found = new Map<string, Metric>();
    for (const metric of this.dispatch.readers.flatMap((reader) => reader.metrics())) {
      if (!found.has(metric.name)) found.set(metric.name, metric);
    }
    return [...found.values()];
  }
}

/** The compiled readers for the logs of one program: build once, `open` for each log. */
export class ProgramLogFormat {
  private readonly patterns: readonly CompiledPattern[];
  private readonly tables: readonly TableName[];
  private readonly signs: SignFormat;
  private readonly anyTrigger: RegExp | undefined;

  /** @throws Fault `knowledge.bad_pattern`, see `compilePattern`. */
  constructor(
    { name, metrics, tables }: Pick<ProgramKnowledge, 'name' | 'metrics' | 'tables'>,
    errors: Pick<ErrorKnowledge, 'known' | 'recoverable' | 'endings'>,
  ) {
    this.signs = new SignFormat(name, errors);
    this.patterns = metrics.map(compilePattern);
    this.tables = tables?.readers ?? [];
    this.anyTrigger = triggerOf(this.readers(), this.signs.triggers);
  }

  /** The program must be given and is never guessed from the text: logs mention other programs all the time. */
  open(): LogReader {
    return new LogReader(this.readers(), this.anyTrigger, new LogSigns(this.signs));
  }

  private readers(): readonly LineReader[] {
    return [...this.tables.map((name) => tableReaders[name]()), ...this.patterns.map(patternReader)];
  }
}
