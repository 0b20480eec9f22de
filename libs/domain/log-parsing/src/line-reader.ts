import type { Metric } from '@fleet/contracts/sessions';

/** One line of a log. */
export class LogLine {
  private plain: string | undefined;

  /** @param number from 1, as editors count */
  constructor(
    readonly printed: string,
    readonly number: number,
  ) {}

  /**
   * The line as patterns see it: every run of blanks is one space, and there is none at its ends. Programs align their columns as it comes; a
   * number means the same in any column.
   */
  get text(): string {
    this.plain ??= this.printed.replaceAll(/\s+/g, ' ').trim();
    return this.plain;
  }
}

/** Reads metrics from the lines of one log, one after the other. Holds no more than a few values. */
export interface LineReader {
  /** Texts, one of which stands in every line that this reader cares about, with any blanks for a space; absent: it has to see every line. */
  readonly triggers?: readonly string[];
  line(line: LogLine): void;
  /** What was found, after the last line. */
  metrics(): readonly Metric[];
}
