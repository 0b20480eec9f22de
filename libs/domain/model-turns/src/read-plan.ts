import type { StrategyValue } from '@fleet/contracts';
import { allowedValues, problemWithWish, type RuleBook } from '@fleet/knowledge-model';
import { mayStop, STOP, type DescribedSession, type Menu, type OfferedProgram } from '@fleet/workflow';
import { planAnswerSchema, type PlanAnswer } from './plan-answer';
import { settableKeys } from './plan-context';
import { problem, readAnswer, type Read } from './read-answer';

/** What a model has chosen, checked. */
export interface Plan {
  /** A program of the menu, or STOP. */
  readonly program: string;
  /** One line of plain text: the model's words. */
  readonly reasons: string;
  readonly strategy: Readonly<Record<string, StrategyValue>>;
  readonly confidence: PlanAnswer['confidence'];
}

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
  const found = readAnswer(text, wasCut, planAnswerSchema);
  if ('problem' in found) return found;
  const answer = found.value;
  const names = [...rules.offered.map(({ program }) => program), ...(mayStop(rules.menu) ? [STOP] : [])];
  if (!names.includes(answer.program))
    return problem('program_not_allowed', `the program is not on the menu; the menu is ${names.join(', ')}`);
  const wrong = wrongValue(answer, rules);
  if (wrong !== undefined) return problem('value_not_allowed', wrong);
  const { program, reasons, strategy, confidence } = answer;
  const values = Object.fromEntries(strategy.map(({ key, value }) => [key, value]));
  return { value: { program, reasons: plainReasons(reasons), strategy: values, confidence } };
};
