import type { Condition } from '@fleet/knowledge-model';

type Comparison = Extract<Condition, { readonly fact: string }>;

const relations: Readonly<Record<string, string>> = {
  is: '=',
  at_least: '≥',
  at_most: '≤',
  above: '>',
  below: '<',
  above_fact: '>',
  at_least_fact: '≥',
  at_most_fact: '≤',
  one_of: 'one of',
};

const comparisonText = (comparison: Comparison): string => {
  if ('known' in comparison) return `${comparison.fact} is ${comparison.known ? '' : 'not '}known`;
  const [relation = '', value] = Object.entries(comparison).find(([key]) => relations[key] !== undefined) ?? [];
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return `${comparison.fact} ${relations[relation] ?? relation} ${text}`;
};

/** A condition of the knowledge as text. */
export const conditionText = (condition: Condition): string => {
  if ('all' in condition) return condition.all.map(conditionText).join(' and ');
  if ('any' in condition) return `(${condition.any.map(conditionText).join(' or ')})`;
  return 'not' in condition ? `not (${conditionText(condition.not)})` : comparisonText(condition);
};
