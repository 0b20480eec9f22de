import { mistakesIn, type AnswerProblem, type StrategyValue } from '@fleet/contracts';
import { allowedValues, problemWithWish, type RuleBook } from '@fleet/knowledge-model';
import { mayStop, STOP, type DescribedSession, type Menu, type OfferedProgram } from '@fleet/workflow';
import { objectIn } from './object-in-text';
import { planAnswerSchema, type PlanAnswer } from './plan-answer';
import { settableKeys } from './plan-context';

/** What a model has chosen, checked. */
export interface Plan {
  /** A program of the menu, or STOP. */
  readonly program: string;
  /** One line of plain text: the model's words. */
  readonly reasons: string;
  readonly strategy: Readonly<Record<string, StrategyValue>>;
  readonly confidence: PlanAnswer['confidence'];
}

/** Something that a model can do better; said to it. */
export interface Problem {
  readonly code: AnswerProblem;
  readonly why: string;
}

export type Read<T> = { readonly value: T } | { readonly problem: Problem };

export interface PlanRules {
  readonly offered: readonly OfferedProgram[];
  readonly menu: Pick<Menu, 'offered' | 'validPrograms' | 'applied'>;
  readonly described: Pick<DescribedSession, 'facts'>;
  readonly ruleBook: Pick<RuleBook, 'programs'>;
}

const longestReasons = 600;

const plainReasons = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, longestReasons);

const problem = (code: AnswerProblem, why: string): { readonly problem: Problem } => ({ problem: { code, why } });

const wrongValue = ({ program, strategy }: PlanAnswer, { ruleBook, described }: PlanRules): string | undefined => {
  const knowledge = ruleBook.programs[program];
  const known = knowledge === undefined ? [] : settableKeys(knowledge, described);
  const seen = new Set<string>();
  for (const { key, value } of strategy) {
    const definition = known.find((one) => one.key === key);
    if (definition === undefined) return `"${key.slice(0, 80)}" is not a key of ${program} in the menu`;
    if (seen.has(key)) return `"${key}" is set twice`;
    seen.add(key);
    if (problemWithWish(definition, value) !== undefined) return `"${key}" must be ${allowedValues(definition)}`;
  }
  return undefined;
};

/** Reads what a model answered to `plan`: a program of the menu or STOP where it stands there, with values that the rules accept, or what is wrong. Never throws. */
export const readPlan = (text: string, wasCut: boolean, rules: PlanRules): Read<Plan> => {
  const found = objectIn(text);
  if (found === undefined) {
    return wasCut
      ? problem('truncated', 'the answer was cut off before the JSON object ended; write less')
      : problem('not_json', 'the answer is not one JSON object');
  }
  const [mistake] = mistakesIn(planAnswerSchema, found, { at: 'answer', most: 1 });
  if (mistake !== undefined)
    return problem('schema_failed', `${mistake.field} ${mistake.reason}; allowed: ${mistake.allowed}`.slice(0, 300));
  const answer = found as PlanAnswer;
  const names = [...rules.offered.map(({ program }) => program), ...(mayStop(rules.menu) ? [STOP] : [])];
  if (!names.includes(answer.program))
    return problem('program_not_allowed', `the program is not on the menu; the menu is ${names.join(', ')}`);
  const wrong = wrongValue(answer, rules);
  if (wrong !== undefined) return problem('value_not_allowed', wrong);
  const { program, reasons, strategy, confidence } = answer;
  const values = Object.fromEntries(strategy.map(({ key, value }) => [key, value]));
  return { value: { program, reasons: plainReasons(reasons), strategy: values, confidence } };
};
