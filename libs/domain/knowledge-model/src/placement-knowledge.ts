import type { Condition } from './conditions';

/**
 * The verdict on a placement: `found` is accepted, `open` is accepted until a refinement decides, `unlikely` only if every alternative fails,
 * `refuted` only if every alternative fails and it was refined.
 */
export type PlacementVerdict = 'found' | 'open' | 'unlikely' | 'refuted';

/** knowledge/metrics.yaml, `placement_evidence`: whether a placement is accepted, and further searches. */
export interface PlacementRules {
  readonly programs: {
    readonly search: string;
    readonly refinement: readonly string[];
    readonly rebuild: string;
    readonly analysis: string;
    /** Makes a search model of a prediction. */
    readonly trim: string;
  };
  /** Strategy keys that define a search. */
  readonly keys: {
    readonly copies: readonly string[];
    readonly groups: readonly string[];
    readonly space_group: readonly string[];
  };
  /** Categories of search models, the best first, and of excluded files. */
  readonly candidates: {
    readonly categories: readonly string[];
    readonly exclude: readonly string[];
    readonly why: string;
  };
  /** Id of the known error of a search without a solution. */
  readonly no_solution: string;
  /** The first that holds; facts in braces. */
  readonly verdicts: readonly {
    readonly id: string;
    readonly when: Condition;
    readonly verdict: PlacementVerdict;
    readonly says: string;
    readonly why: string;
  }[];
  /** A placement whose space group is certain. */
  readonly clear: Condition;
  /** Other numbers of copies than the estimate: as fractions of the contents, and how many are tried. */
  readonly copies: { readonly least: number; readonly most: number; readonly ways: number; readonly why: string };
  /** Space groups of one point group and lattice. */
  readonly space_groups: readonly (readonly string[])[];
  /** Pairs of mirror images. */
  readonly hands: readonly (readonly string[])[];
}
