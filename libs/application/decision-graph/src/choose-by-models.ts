import { planWorkOf } from '@fleet/contracts/models';
import type { PlanningRecord } from '@fleet/contracts/sessions';
import { planQuestionOf, planTurn, type Plan, type PlanQuestion, type TurnOutcome } from '@fleet/model-turns';
import type { RuleBook } from '@fleet/knowledge-model';
import { endsAtOnce, mayStop, STOP } from '@fleet/workflow';
import { chooseByRules, remainingForModels } from './choose-by-rules';
import type { Choice, Chooser, ChoosingContext } from './decision-types';
import { mostWhy, requestsOf, watchedTurn, type Planner } from './watched-turn';

const prompt = 'plan 1';

type Planned = Extract<TurnOutcome<Plan>, { readonly value: Plan }>;

const byModel = (planned: Planned): Choice => {
  const { value, target, model, hash } = planned;
  const { program, strategy, confidence, reasons } = value;
  const isSet = Object.keys(strategy).length > 0;
  const planning: PlanningRecord = {
    prompt,
    requests: requestsOf(planned),
    target,
    model,
    hash,
    ...(isSet && { strategy }),
  };
  const what = program === STOP ? 'to stop' : 'it';
  return { program, strategy, confidence, planning, reasoning: `${model} chose ${what}: "${reasons}"` };
};

/** The question to models for this decision; the same in every process. */
export const questionOf = (context: ChoosingContext, ruleBook: Pick<RuleBook, 'programs'>): PlanQuestion =>
  planQuestionOf({ ...context, offered: remainingForModels(context), ruleBook });

/** Whether there is a choice, and the submitter allows models. */
export const isForModels = (context: ChoosingContext): boolean => {
  const { session, menu, described } = context;
  const ends = mayStop(menu) && endsAtOnce(described) ? 1 : 0;
  return !session.request.settings.use_rules_only && remainingForModels(context).length + ends > 1;
};

/** The model's choice, or the choice of the rules and why no model made it. */
export const choiceOf = (outcome: TurnOutcome<Plan>, otherwise: Choice): Choice => {
  if ('value' in outcome) return byModel(outcome);
  const { code, why } = outcome;
  const planning: PlanningRecord = { prompt, requests: requestsOf(outcome), failed: code, why: why.slice(0, mostWhy) };
  return { ...otherwise, planning };
};

/**
 * Asks the models of the planning role if the menu has a choice. The rules choose if it has none, if the submitter excludes models, and if no
 * model gives a usable answer. A model is restricted to the menu and to the values that the rules accept.
 * @throws Fault (transient) `decision.handed_back`, `decision.waits_for_model` if no model is reachable and the session waits for one, or if
 * replies or the ledger are unavailable
 */
export const chooseByModels =
  (planner: Planner): Chooser =>
  async (context) => {
    const choice = chooseByRules(context);
    if (choice === undefined || !isForModels(context)) return choice;
    const { session } = context;
    const question = questionOf(context, planner.ruleBook);
    const work = planWorkOf(session.cycle);
    return choiceOf(await watchedTurn<Plan>(planner, session, work, (ways) => planTurn(question, ways)), choice);
  };
