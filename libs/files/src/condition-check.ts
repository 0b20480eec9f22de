import type { Condition, Facts } from '@fleet/knowledge-model';

type Comparison = Extract<Condition, { readonly fact: string }>;

const compares = (condition: Comparison, value: NonNullable<Facts[string]>): boolean => {
  if ('is' in condition) return value === condition.is;
  if ('one_of' in condition) return condition.one_of.includes(String(value));
  if ('known' in condition) return condition.known;
  if (typeof value !== 'number') return false;
  if ('at_least' in condition) return value >= condition.at_least;
  if ('at_most' in condition) return value <= condition.at_most;
  if ('above' in condition) return value > condition.above;
  return value < condition.below;
};

/** Whether a condition holds for these facts; an unknown fact fails its comparison unless the condition says otherwise. */
export const holds = (condition: Condition, facts: Facts): boolean => {
  if ('all' in condition) return condition.all.every((part) => holds(part, facts));
  if ('any' in condition) return condition.any.some((part) => holds(part, facts));
  if ('not' in condition) return !holds(condition.not, facts);
  const value = facts[condition.fact];
  if (value !== undefined) return compares(condition, value);
  if ('known' in condition) return !condition.known;
  return condition.if_unknown ?? false;
};
