import { planTurn, type Plan, type PlanQuestion, type TurnOutcome } from '@fleet/model-turns';
import type { ModelWork } from '@fleet/ports';
import { heldTurn, type Answerer, type PlanningWatch, type TurnWays } from './watched-turn';

/** The account of a question from another process, and the storage of its replies. */
interface QuestionWays {
  readonly work: ModelWork;
  readonly watch: PlanningWatch;
  readonly replies: TurnWays<Plan>['replies'];
}

/**
 * Asks models which program of a menu runs next, for a process that cannot: within the budgets, one worker at a time, paid once.
 * @throws Fault (transient) `decision.handed_back`, or if replies or the ledger are unavailable
 */
export const answerQuestion = (
  answerer: Answerer,
  question: PlanQuestion,
  ways: QuestionWays,
): Promise<TurnOutcome<Plan>> => heldTurn<Plan>(answerer, ways, (how) => planTurn(question, how));
