export { planContextOf, type PlanContext, type PlanSources } from './plan-context';
export { planPrompt } from './plan-prompt';
export { planTurn } from './plan-turn';
export { hashOf, type Prompt } from './prompt';
export { readPlan, type Plan, type Problem, type Read } from './read-plan';
export { runTurn, type KeptReplies, type Turn, type TurnAccount, type TurnAttempt, type TurnOutcome } from './run-turn';
