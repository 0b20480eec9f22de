import { planTurn, type Plan, type PlanQuestion, type TurnOutcome } from '@fleet/model-turns';
import type { ModelWork } from '@fleet/ports';
import { heldTurn, type Answerer, type PlanningWatch, type TurnWays } from './watched-turn';

/** A question that came from elsewhere: whose account it is, and where its replies are kept. */
interface QuestionWays {
  readonly work: ModelWork;
  readonly watch: PlanningWatch;
  readonly replies: TurnWays<Plan>['replies'];
}

/**
 * Asks models which program of a menu runs next, for whoever cannot ask them: within the budgets, one worker at a time, paid once.
 * @throws Fault (transient) `decision.handed_back`, or where replies cannot be read or the ledger cannot be kept
 */
export const answerQuestion = (
  answerer: Answerer,
  question: PlanQuestion,
  ways: QuestionWays,
): Promise<TurnOutcome<Plan>> => heldTurn<Plan>(answerer, ways, (how) => planTurn(question, how));
