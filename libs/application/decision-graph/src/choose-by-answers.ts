import type { RuleBook } from '@fleet/knowledge-model';
import { hashOf, type Plan, type PlanQuestion, type TurnOutcome } from '@fleet/model-turns';
import { choiceOf, isForModels, questionOf } from './choose-by-models';
import { chooseByRules } from './choose-by-rules';
import type { Chooser } from './decision-types';

/** Answers to questions that another process asked, by the hash of the whole question. */
export type PlanAnswers = ReadonlyMap<string, TurnOutcome<Plan>>;

/**
 * Uses existing answers of models, for callers that cannot wait for new ones: an unanswered question is reported to `onOpen`, and the rules
 * choose. The same session asks the same question, so the decision can be repeated with the answer.
 * @param onOpen called for each question without an answer
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
