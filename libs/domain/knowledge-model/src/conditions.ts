import { also, closed, flag, list, number, record, scalar, someOf, type Schema } from '@fleet/contracts/schema';
import { factName, someText } from './shared-schemas';

/** Named facts about a session: counts, flags, metrics, words. Unknown facts are absent. */
export type Facts = Readonly<Record<string, number | boolean | string | undefined>>;

/**
 * A condition of a rule. One comparison on one fact, or a combination.
 * A comparison on an unknown fact is false, unless the rule says `if_unknown: true`.
 * `…_fact` compares with another fact instead of a number (cycle numbers, targets); unknown when either is.
 */
export type Condition =
  | { readonly fact: string; readonly is: boolean | string | number; readonly if_unknown?: boolean }
  | { readonly fact: string; readonly at_least: number; readonly if_unknown?: boolean }
  | { readonly fact: string; readonly at_most: number; readonly if_unknown?: boolean }
  | { readonly fact: string; readonly above: number; readonly if_unknown?: boolean }
  | { readonly fact: string; readonly below: number; readonly if_unknown?: boolean }
  | { readonly fact: string; readonly above_fact: string; readonly if_unknown?: boolean }
  | { readonly fact: string; readonly at_least_fact: string; readonly if_unknown?: boolean }
  | { readonly fact: string; readonly at_most_fact: string; readonly if_unknown?: boolean }
  | { readonly fact: string; readonly one_of: readonly string[]; readonly if_unknown?: boolean }
  | { readonly fact: string; readonly known: boolean }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

/** A condition inside other knowledge: refers to `conditionSchema`, which contains itself. */
export const condition: Schema<Condition> = also<Condition>({}, { $ref: 'condition' });

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
