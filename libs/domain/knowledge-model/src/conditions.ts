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
