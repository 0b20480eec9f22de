import type { FieldProblem } from '@fleet/contracts/faults';
import type { Submission } from '@fleet/contracts/sessions';

/** One row of a manifest: members of a submission, and variables for titles, advice and paths of the batch. Not validated. */
export type ManifestRow = Readonly<Partial<Record<keyof Submission | 'variables', unknown>>>;

/** An entry of a manifest. */
export type ManifestEntry =
  | {
      /** 1-based line of its first character in the manifest. */
      readonly line: number;
      readonly row: ManifestRow;
    }
  | {
      readonly line: number;
      /** Why it is not a row. */
      readonly problem: FieldProblem;
      /** Its beginning, to identify it. */
      readonly text: string;
    };

/** The text of a row, before it is parsed. */
export interface RowText {
  readonly line: number;
  readonly text: string;
  /** True: it was longer, and the rest was skipped. */
  readonly cut: boolean;
}

/** Returns the rows of a manifest one by one, from chunks of any size. */
export interface RowReader {
  /** Reads the next chunk. */
  push(text: string): Iterable<ManifestEntry>;
  /** Ends the manifest. */
  end(): Iterable<ManifestEntry>;
}
