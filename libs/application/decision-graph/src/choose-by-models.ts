import { planWorkOf, type PlanningRecord } from '@fleet/contracts';
import { planTurn, type Plan, type TurnOutcome } from '@fleet/model-turns';
import { endsAtOnce, mayStop, STOP } from '@fleet/workflow';
import { chooseByRules, remainingPrograms } from './choose-by-rules';
import type { Choice, Chooser, ChoosingContext } from './decision-types';
import { mostWhy, requestsOf, watchedTurn, type Planner } from './watched-turn';

const prompt = 'plan 1';

type Planned = Extract<TurnOutcome<Plan>, { readonly value: Plan }>;

const byModel = (planned: Planned): Choice => {
  const { value, target, model, hash } = planned;
  const planning: PlanningRecord = { prompt, requests: requestsOf(planned), target, model, hash };
  const { program, strategy, confidence, reasons } = value;
  const what = program === STOP ? 'to stop' : 'it';
  return { program, strategy, confidence, planning, reasoning: `${model} chose ${what}: "${reasons}"` };
};

const turnOf = (planner: Planner, context: ChoosingContext): Promise<TurnOutcome<Plan>> => {
  const { ruleBook } = planner;
  const sources = { ...context, offered: remainingPrograms(context), ruleBook };
  return watchedTurn(planner, context.session, planWorkOf(context.session.cycle), (ways) => planTurn(sources, ways));
};

/** Whether there is something to choose that the submitter lets a model see. */
const isForModels = (context: ChoosingContext): boolean => {
  const { session, menu, described } = context;
  const ends = mayStop(menu) && endsAtOnce(described) ? 1 : 0;
  return !session.request.settings.use_rules_only && remainingPrograms(context).length + ends > 1;
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
    const outcome = await turnOf(planner, context);
    if ('value' in outcome) return byModel(outcome);
    const { code, why } = outcome;
    const planning: PlanningRecord = {
      prompt,
      requests: requestsOf(outcome),
      failed: code,
      why: why.slice(0, mostWhy),
    };
    return { ...choice, planning };
  };
