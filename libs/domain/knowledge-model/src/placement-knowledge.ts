import { choice, integer, list, number, record, someOf, text, type Described } from '@fleet/contracts/schema';
import { sentence } from './shared-schemas';
import { condition } from './conditions';

/**
 * The verdict on a placement: `found` is accepted, `open` is accepted until a refinement decides, `unlikely` only if every alternative fails,
 * `refuted` only if every alternative fails and it was refined.
 */
const placementVerdict = choice(['found', 'open', 'unlikely', 'refuted']);
export type PlacementVerdict = Described<typeof placementVerdict>;

/** knowledge/metrics.yaml, `placement_evidence`: whether a placement is accepted, and further searches. */
export const placementRules = record({
  programs: record({
    search: text(),
    refinement: someOf(text()),
    rebuild: text(),
    analysis: text(),
    /** Makes a search model of a prediction. */
    trim: text(),
  }),
  /** Strategy keys that define a search. */
  keys: record({ copies: someOf(text()), groups: someOf(text()), space_group: someOf(text()) }),
  /** Categories of search models, the best first, and of excluded files. */
  candidates: record({ categories: someOf(text()), exclude: list(text()), why: sentence }),
  /** Id of the known error of a search without a solution. */
  no_solution: sentence,
  /** The first that holds; facts in braces. */
  verdicts: someOf(
    record({
      id: sentence,
      when: condition,
      verdict: placementVerdict,
      says: sentence,
      why: sentence,
    }),
  ),
  /** A placement whose space group is certain. */
  clear: condition,
  /** Other numbers of copies than the estimate: as fractions of the contents, and how many are tried. */
  copies: record({
    least: number(undefined, { exclusiveMinimum: 0, maximum: 1 }),
    most: number(undefined, { minimum: 1, maximum: 2 }),
    ways: integer(undefined, { minimum: 0, maximum: 10 }),
    why: sentence,
  }),
  /** Space groups of one point group and lattice. */
  space_groups: someOf(list(text(undefined, { minLength: 2 }), undefined, { minItems: 2 })),
  /** Pairs of mirror images. */
  hands: someOf(list(text(undefined, { minLength: 2 }), undefined, { minItems: 2, maxItems: 2 })),
});
export type PlacementRules = Described<typeof placementRules>;
