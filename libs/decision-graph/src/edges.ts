import type { DecisionStateType } from './state';

/** A choice that cannot run goes back to plan; after this many the fallback takes over. */
const mostAttempts = 3;

export const afterPerceive = ({ stop }: DecisionStateType): 'plan' | 'output' =>
  stop === undefined ? 'plan' : 'output';

export const afterPlan = ({ stop, proposal }: DecisionStateType): 'build' | 'fallback' | 'output' => {
  if (stop !== undefined) return 'output';
  return proposal?.choice === undefined ? 'fallback' : 'build';
};

export const afterValidate = ({ proposal, rejections }: DecisionStateType): 'output' | 'plan' | 'fallback' => {
  if (proposal?.command !== undefined) return 'output';
  return rejections.length < mostAttempts ? 'plan' : 'fallback';
};
