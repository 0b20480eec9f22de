export { buildDecisionGraph, type DecisionGraph } from './build-graph';
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
