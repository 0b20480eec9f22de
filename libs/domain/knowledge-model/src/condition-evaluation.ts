import type { Comparison, Condition, Facts } from './conditions';

type Test = (facts: Facts) => boolean;

const operators: Readonly<Record<string, (value: number, other: number) => boolean>> = {
  at_least: (value, other) => value >= other,
  at_most: (value, other) => value <= other,
  above: (value, other) => value > other,
  below: (value, other) => value < other,
};

/** `above: 3` and others, or `above_fact: cycles` with another fact on the other side. */
const numberTest = (condition: Comparison, unknown: boolean): Test => {
  const { fact } = condition;
  const [key = '', other] = Object.entries(condition).find(([name]) => name !== 'fact' && name !== 'if_unknown') ?? [];
  const compare = operators[key.replace(/_fact$/, '')];
  if (compare === undefined) return (): boolean => unknown;
  return (facts) => {
    const value = facts[fact];
    const otherSide: unknown = typeof other === 'string' ? facts[other] : other;
    return typeof value === 'number' && typeof otherSide === 'number' ? compare(value, otherSide) : unknown;
  };
};

const comparisonTest = (condition: Comparison): Test => {
  const { fact } = condition;
  if ('known' in condition) return (facts) => condition.known === (facts[fact] !== undefined);
  const unknown = condition.if_unknown ?? false;
  const whereKnown = (test: (value: NonNullable<Facts[string]>) => boolean): Test => {
    return (facts) => {
      const value = facts[fact];
      return value === undefined ? unknown : test(value);
    };
  };
  if ('is' in condition) return whereKnown((value) => value === condition.is);
  if ('one_of' in condition) return whereKnown((value) => condition.one_of.includes(String(value)));
  return numberTest(condition, unknown);
};

const makeTest = (condition: Condition): Test => {
  if ('all' in condition) {
    const parts = condition.all.map(testOf);
    return (facts) => parts.every((holdsPart) => holdsPart(facts));
  }
  if ('any' in condition) {
    const parts = condition.any.map(testOf);
    return (facts) => parts.some((holdsPart) => holdsPart(facts));
  }
  if ('not' in condition) {
    const negated = testOf(condition.not);
    return (facts) => !negated(facts);
  }
  return comparisonTest(condition);
};

/** Conditions belong to the frozen rule book and are evaluated a thousand times in a decision: each is compiled once. */
const tests = new WeakMap<Condition, Test>();

const testOf = (condition: Condition): Test => {
  const known = tests.get(condition);
  if (known !== undefined) return known;
  const made = makeTest(condition);
  tests.set(condition, made);
  return made;
};

/** Whether a condition holds for these facts; an unknown fact fails its comparison unless the condition says otherwise. */
export const holds = (condition: Condition, facts: Facts): boolean => testOf(condition)(facts);

/** Names of all facts in a condition. */
export const factsOf = (condition: Condition): readonly string[] => {
  if ('all' in condition) return condition.all.flatMap(factsOf);
  if ('any' in condition) return condition.any.flatMap(factsOf);
  if ('not' in condition) return factsOf(condition.not);
  const others = Object.entries(condition).filter(([key]) => key.endsWith('_fact'));
  return [condition.fact, ...others.map(([, name]) => String(name))];
};
