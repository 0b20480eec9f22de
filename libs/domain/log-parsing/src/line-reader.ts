import type { Metric } from '@fleet/contracts/sessions';

/** One line of a log. */
export class LogLine {
  private plain: string | undefined;

  /** @param number 1-based */
  constructor(
    readonly printed: string,
    readonly number: number,
  ) {}

  /**
   * The line for pattern matching: every run of blanks is one space, without blanks at its ends, because programs align columns arbitrarily.
   */
  get text(): string {
    this.plain ??= this.printed.replaceAll(/\s+/g, ' ').trim();
    return this.plain;
  }
}

/** Reads metrics from the lines of one log in order. Keeps only a few values. */
export interface LineReader {
  /** Texts of which each relevant line contains one; a space matches any blanks. Absent: the reader needs every line. */
  readonly triggers?: readonly string[];
  line(line: LogLine): void;
  /** The metrics, after the last line. */
  metrics(): readonly Metric[];
}
