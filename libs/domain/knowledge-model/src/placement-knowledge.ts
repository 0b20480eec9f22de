import type { Condition } from './conditions';

/**
 * The outcome of a placement: `found` stands, `open` stands until a refinement tells, `unlikely` stands only where every other way fails,
 * `refuted` only where every other way fails and it was refined.
 */
export type PlacementVerdict = 'found' | 'open' | 'unlikely' | 'refuted';

/** knowledge/metrics.yaml, `placement_evidence`: whether a placement may stand, and what else can be searched for. */
export interface PlacementRules {
  readonly programs: {
    readonly search: string;
    readonly refinement: readonly string[];
    readonly rebuild: string;
    readonly analysis: string;
    /** Makes a search model of a prediction. */
    readonly trim: string;
  };
  /** Strategy keys of the search that tell how it was made. */
  readonly keys: {
    readonly copies: readonly string[];
    readonly groups: readonly string[];
    readonly space_group: readonly string[];
  };
  /** Categories of what may be searched with, the best first, and of what may not. */
  readonly candidates: {
    readonly categories: readonly string[];
    readonly exclude: readonly string[];
    readonly why: string;
  };
  /** Id of the known error with which the search says that it found nothing. */
  readonly no_solution: string;
  /** The first that holds; facts in braces. */
  readonly verdicts: readonly {
    readonly id: string;
    readonly when: Condition;
    readonly verdict: PlacementVerdict;
    readonly says: string;
    readonly why: string;
  }[];
  /** A placement whose space group is settled. */
  readonly clear: Condition;
  /** Other numbers of copies than the guess: as fractions of the contents that it stands for, and how many are tried. */
  readonly copies: { readonly least: number; readonly most: number; readonly ways: number; readonly why: string };
  /** Space groups of one point group and lattice. */
  readonly space_groups: readonly (readonly string[])[];
  /** Pairs that are each other's mirror image. */
  readonly hands: readonly (readonly string[])[];
}
