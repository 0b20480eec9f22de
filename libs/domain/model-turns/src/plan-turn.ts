import { planAnswerSchema } from './plan-answer';
import { planContextOf, type PlanSources } from './plan-context';
import { planPrompt, shorterPlanPrompts } from './plan-prompt';
import { readPlan, type Plan } from './read-plan';
import { runTurn, type Turn, type TurnOutcome } from './run-turn';

/** Asks which program of the menu runs next; as `runTurn`. */
export const planTurn = (
  sources: PlanSources,
  how: Pick<Turn<Plan>, 'targets' | 'replies' | 'account' | 'sleep' | 'signal'>,
): Promise<TurnOutcome<Plan>> => {
  const context = planContextOf(sources);
  return runTurn({
    ...how,
    prompt: planPrompt(context),
    shorter: shorterPlanPrompts(context),
    answer: { name: 'plan', schema: planAnswerSchema as NonNullable<Turn<Plan>['answer']>['schema'] },
    read: (text, wasCut) => readPlan(text, wasCut, sources),
  });
};
