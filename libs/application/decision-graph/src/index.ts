export { answerQuestion } from './answer-question';
export { assessByModels } from './assess-by-models';
export { buildDecisionGraph, type DecisionGraph } from './build-graph';
export { chooseByAnswers, type PlanAnswers } from './choose-by-answers';
export { chooseByModels } from './choose-by-models';
export { chooseByRules, remainingForModels } from './choose-by-rules';
export type {
  Choice,
  Chooser,
  ChoosingContext,
  DecisionInput,
  DecisionOutcome,
  Rejection,
  UndatedDecision,
} from './decision-types';
export { readByModels } from './read-by-models';
export { replayer, type Replayer } from './replay-session';
export { summariseByModels } from './summarise-by-models';
export type { Answerer, Planner, PlanningWatch } from './watched-turn';
