import { buildDecisionApi, type DecisionApi, type ModelsOfSite } from '@fleet/decision-api';
import { buildDecisionGraph, chooseByAnswers } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import { systemClock } from '@fleet/ports';
import type { Answered, OpenQuestion, RequestTask, TaskModels } from './decision-task';

/** The API for a rule book. */
export const decisionApiOf = (ruleBook: RuleBook): DecisionApi =>
  buildDecisionApi({ ruleBook, decider: buildDecisionGraph({ ruleBook }), clock: systemClock });

/** Decides with the available answers. @param onOpen called with the first question without one */
const modelsOf = (
  ruleBook: RuleBook,
  { providers, answers }: TaskModels,
  onOpen: (question: OpenQuestion) => void,
): ModelsOfSite => ({
  providers,
  deciderFor: (provider) =>
    buildDecisionGraph({
      ruleBook,
      choose: chooseByAnswers(ruleBook, new Map(answers), (question, hash) => onOpen({ provider, hash, question })),
    }),
});

/** Answers requests, and returns the question for models that is still open. */
export const answeringOf = (ruleBook: RuleBook): ((task: RequestTask) => Promise<Answered>) => {
  const api = decisionApiOf(ruleBook);
  return async (task) => {
    const open: OpenQuestion[] = [];
    const models = task.models && modelsOf(ruleBook, task.models, (question) => open.push(question));
    const known = new Map<string, never>();
    const answer =
      task.kind === 'encoded'
        ? await api.answerEncoded(task.encoded, known, models)
        : await api.answer(task.document, known, models);
    const [first] = open;
    return { answer, ...(first !== undefined && { open: first }) };
  };
};
