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

/** What models are asked in this place; the same in every process. */
export const questionOf = (context: ChoosingContext, ruleBook: Pick<RuleBook, 'programs'>): PlanQuestion =>
  planQuestionOf({ ...context, offered: remainingForModels(context), ruleBook });

/** Whether there is something to choose that the submitter lets a model see. */
export const isForModels = (context: ChoosingContext): boolean => {
  const { session, menu, described } = context;
  const ends = mayStop(menu) && endsAtOnce(described) ? 1 : 0;
  return !session.request.settings.use_rules_only && remainingForModels(context).length + ends > 1;
};

/** The outcome of asking: the model's choice, or the one of the rules and why no model made it. */
export const choiceOf = (outcome: TurnOutcome<Plan>, otherwise: Choice): Choice => {
  if ('value' in outcome) return byModel(outcome);
  const { code, why } = outcome;
  const planning: PlanningRecord = { prompt, requests: requestsOf(outcome), failed: code, why: why.slice(0, mostWhy) };
  return { ...otherwise, planning };
};

/**
 * Asks the models of the planning role where the menu has a choice; the rules choose where it has none, where the submitter wants no model
 * asked, and where no model gives an answer that can be used. A model is held to the menu and to the values that the rules accept.
 * @throws Fault (transient) `decision.handed_back`, `decision.waits_for_model` where none can be reached and the submitter waits, or where replies cannot be read or the ledger cannot be kept
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
