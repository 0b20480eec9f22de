export { directivesPrompt, type DirectivesContext } from './directives-prompt';
export { directivesTurn, readDirectives } from './directives-turn';
export { planContextOf, type PlanContext, type PlanSources } from './plan-context';
export { planPrompt, shorterPlanPrompts } from './plan-prompt';
export { planTurn } from './plan-turn';
export { hashOf, type Prompt } from './prompt';
export type { Problem, Read } from './read-answer';
export { readPlan, type Plan } from './read-plan';
export { runTurn, type KeptReplies, type Turn, type TurnAccount, type TurnAttempt, type TurnOutcome } from './run-turn';
