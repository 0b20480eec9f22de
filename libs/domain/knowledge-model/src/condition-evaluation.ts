import type { Condition, Facts } from './conditions';

type Comparison = Extract<Condition, { readonly fact: string }>;
type NumberPair = readonly [number, number];

/** Both sides as numbers, or undefined when the rule compares something else or one side is unknown or no number. */
const otherSide = (condition: Comparison, facts: Facts): unknown => {
  if ('above_fact' in condition) return facts[condition.above_fact];
  if ('at_least_fact' in condition) return facts[condition.at_least_fact];
  if ('at_most_fact' in condition) return facts[condition.at_most_fact];
  if ('at_least' in condition) return condition.at_least;
  if ('at_most' in condition) return condition.at_most;
  if ('above' in condition) return condition.above;
  if ('below' in condition) return condition.below;
  return undefined;
};

const compareNumbers = (condition: Comparison, [value, other]: NumberPair): boolean => {
  if ('at_least' in condition || 'at_least_fact' in condition) return value >= other;
  if ('at_most' in condition || 'at_most_fact' in condition) return value <= other;
  return 'below' in condition ? value < other : value > other;
};

const compares = (condition: Comparison, facts: Facts): boolean => {
  const value = facts[condition.fact];
  if ('known' in condition) return condition.known === (value !== undefined);
  const unknown = condition.if_unknown ?? false;
  if (value === undefined) return unknown;
  if ('is' in condition) return value === condition.is;
  if ('one_of' in condition) return condition.one_of.includes(String(value));
  const other = otherSide(condition, facts);
  if (typeof value !== 'number' || typeof other !== 'number') return unknown;
  return compareNumbers(condition, [value, other]);
};

/** Whether a condition holds for these facts; an unknown fact fails its comparison unless the condition says otherwise. */
export const holds = (condition: Condition, facts: Facts): boolean => {
  if ('all' in condition) return condition.all.every((part) => holds(part, facts));
  if ('any' in condition) return condition.any.some((part) => holds(part, facts));
  if ('not' in condition) return !holds(condition.not, facts);
  return compares(condition, facts);
};

/** Names of all facts that a condition asks about. */
export const factsOf = (condition: Condition): readonly string[] => {
  if ('all' in condition) return condition.all.flatMap(factsOf);
  if ('any' in condition) return condition.any.flatMap(factsOf);
  if ('not' in condition) return factsOf(condition.not);
  const others = Object.entries(condition).filter(([key]) => key.endsWith('_fact'));
  return [condition.fact, ...others.map(([, name]) => String(name))];
};
