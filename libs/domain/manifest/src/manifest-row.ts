import type { FieldProblem } from '@fleet/contracts/faults';
import type { Submission } from '@fleet/contracts/sessions';

/**
 * What a manifest says of one dataset: members of a submission, and variables that titles, advice and paths of the batch may name. Nothing
 * of it has been checked.
 */
export type ManifestRow = Readonly<Partial<Record<keyof Submission | 'variables', unknown>>>;

/** What was found in a manifest. */
export type ManifestEntry =
  | {
      /** Of its first character in the manifest, from 1. */
      readonly line: number;
      readonly row: ManifestRow;
    }
  | {
      readonly line: number;
      /** Why it is not a row. */
      readonly problem: FieldProblem;
      /** Its beginning, by which it is known again. */
      readonly text: string;
    };

/** A row as text, before it is read. */
export interface RowText {
  readonly line: number;
  readonly text: string;
  /** True: it was longer, and the rest was passed over. */
  readonly cut: boolean;
}

/** Gives the rows of a manifest one by one, whatever pieces it arrives in. */
export interface RowReader {
  /** The next part of the manifest. */
  push(text: string): Iterable<ManifestEntry>;
  /** There is no more. */
  end(): Iterable<ManifestEntry>;
}
