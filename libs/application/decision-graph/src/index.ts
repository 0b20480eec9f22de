export { assessByModels } from './assess-by-models';
export { buildDecisionGraph, type DecisionGraph } from './build-graph';
export { chooseByModels } from './choose-by-models';
export { chooseByRules } from './choose-by-rules';
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
export type { Planner, PlanningWatch } from './watched-turn';
