import type { Metric } from '@fleet/contracts';

/** Reads metrics from the lines of one log, one after the other. Holds no more than a few values. */
export interface LineReader {
  /** Texts one of which stands in every line that this reader cares about; absent: it has to see every line. */
  readonly triggers?: readonly string[];
  line(text: string, lineNumber: number): void;
  /** What was found, after the last line. */
  metrics(): readonly Metric[];
}
