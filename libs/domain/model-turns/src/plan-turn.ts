import { planAnswerSchema } from './plan-answer';
import type { PlanQuestion } from './plan-question';
import { readPlan, type Plan } from './read-plan';
import { runTurn, type Turn, type TurnOutcome } from './run-turn';

/** Asks for the next program; see `runTurn`. */
export const planTurn = (
  { forms: [prompt, ...shorter], choices }: PlanQuestion,
  how: Pick<Turn<Plan>, 'targets' | 'replies' | 'account' | 'sleep' | 'signal'>,
): Promise<TurnOutcome<Plan>> =>
  runTurn({
    ...how,
    prompt,
    shorter,
    answer: { name: 'plan', schema: planAnswerSchema as NonNullable<Turn<Plan>['answer']>['schema'] },
    read: (text, wasCut) => readPlan(text, wasCut, choices),
  });
