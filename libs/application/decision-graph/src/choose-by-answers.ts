import type { RuleBook } from '@fleet/knowledge-model';
import { hashOf, type Plan, type PlanQuestion, type TurnOutcome } from '@fleet/model-turns';
import { choiceOf, isForModels, questionOf } from './choose-by-models';
import { chooseByRules } from './choose-by-rules';
import type { Chooser } from './decision-types';

/** The outcome of questions that were asked elsewhere, by the hash of their whole form. */
export type PlanAnswers = ReadonlyMap<string, TurnOutcome<Plan>>;

/**
 * Takes what models have answered already, for whoever cannot wait for them here: what nobody has answered yet is reported, and the rules choose.
 * The same session asks the same, so that it is decided again with the answer.
 * @param onOpen hears of each question without an answer
 */
export const chooseByAnswers =
  (
    ruleBook: Pick<RuleBook, 'programs'>,
    answers: PlanAnswers,
    onOpen: (question: PlanQuestion, hash: string) => void,
  ): Chooser =>
  (context) => {
    const choice = chooseByRules(context);
    if (choice === undefined || !isForModels(context)) return choice;
    const question = questionOf(context, ruleBook);
    const hash = hashOf(question.forms[0]);
    const outcome = answers.get(hash);
    if (outcome !== undefined) return choiceOf(outcome, choice);
    onOpen(question, hash);
    return choice;
  };
