import {
  also,
  closed,
  flag,
  list,
  number,
  record,
  scalar,
  someOf,
  type Described,
  type Schema,
} from '@fleet/contracts/schema';
import { factName, someText } from './shared-schemas';

/** Named facts about a session: counts, flags, metrics, words. Unknown facts are absent. */
export type Facts = Readonly<Record<string, number | boolean | string | undefined>>;

const comparisons = {
  is: scalar(),
  at_least: number(),
  at_most: number(),
  above: number(),
  below: number(),
  above_fact: factName,
  at_least_fact: factName,
  at_most_fact: factName,
  one_of: someOf(someText),
  known: flag(),
};

/** One comparison on one fact. */
export type Comparison = {
  [K in keyof typeof comparisons]: { readonly fact: string; readonly if_unknown?: boolean } & {
    readonly [key in K]: Described<(typeof comparisons)[K]>;
  };
}[keyof typeof comparisons];

/**
 * A condition of a rule. One comparison on one fact, or a combination.
 * A comparison on an unknown fact is false, unless the rule says `if_unknown: true`.
 * `…_fact` compares with another fact instead of a number (cycle numbers, targets); unknown when either is.
 */
export type Condition =
  | Comparison
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

/** A condition inside other knowledge: refers to `conditionSchema`, which contains itself. */
export const condition: Schema<Condition> = also<Condition>({}, { $ref: 'condition' });

const combinations = { all: list(condition), any: someOf(condition), not: condition };

/** Requires each of the names by itself. */
const withEach = (members: object): readonly object[] => Object.keys(members).map((name) => ({ required: [name] }));

/** The schema of a `Condition`: a fact with one comparison, or one combination. */
export const conditionSchema = also(
  closed(record({}, { fact: factName, ...comparisons, if_unknown: flag(), ...combinations })),
  {
    if: { required: ['fact'] },
    then: { oneOf: withEach(comparisons), not: { anyOf: withEach(combinations) } },
    else: { oneOf: withEach(combinations), maxProperties: 1 },
  },
);
