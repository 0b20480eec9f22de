import type { StrategyValue } from '@fleet/contracts/schema';
import { allowedValues, problemWithRequest } from '@fleet/knowledge-model';
import { planAnswerSchema, type PlanAnswer } from './plan-answer';
import type { ChoosableProgram } from './plan-question';
import { problem, readAnswer, type Read } from './read-answer';

/** A model's choice, validated. */
export interface Plan {
  /** A program of the menu, or STOP. */
  readonly program: string;
  /** One line of plain text: the model's words. */
  readonly reasons: string;
  readonly strategy: Readonly<Record<string, StrategyValue>>;
  readonly confidence: PlanAnswer['confidence'];
}

const longestReasons = 600;

const plainReasons = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, longestReasons);

const wrongValue = ({ program, strategy }: PlanAnswer, known: ChoosableProgram['keys']): string | undefined => {
  const seen = new Set<string>();
  for (const { key, value } of strategy) {
    const definition = known.find((one) => one.key === key);
    if (definition === undefined) return `"${key.slice(0, 80)}" is not a key of ${program} in the menu`;
    if (seen.has(key)) return `"${key}" is set twice`;
    seen.add(key);
    if (problemWithRequest(definition, value) !== undefined) return `"${key}" must be ${allowedValues(definition)}`;
  }
  return undefined;
};

/**
 * Reads a model's answer to `plan`: a program of the menu or STOP if it is offered, with values that the rules accept, or its problem. Never
 * throws.
 */
export const readPlan = (text: string, wasCut: boolean, choices: readonly ChoosableProgram[]): Read<Plan> => {
  const found = readAnswer(text, wasCut, planAnswerSchema);
  if ('problem' in found) return found;
  const answer = found.value;
  const chosen = choices.find(({ program }) => program === answer.program);
  if (chosen === undefined) {
    const names = choices.map(({ program }) => program);
    return problem('program_not_allowed', `the program is not on the menu; the menu is ${names.join(', ')}`);
  }
  const wrong = wrongValue(answer, chosen.keys);
  if (wrong !== undefined) return problem('value_not_allowed', wrong);
  const { program, reasons, strategy, confidence } = answer;
  const values = Object.fromEntries(strategy.map(({ key, value }) => [key, value]));
  return { value: { program, reasons: plainReasons(reasons), strategy: values, confidence } };
};
