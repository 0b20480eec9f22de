import type { DecisionStateType } from './state';

/** After this many choices that cannot run, the fallback replaces plan. */
const maxAttempts = 3;

export const afterPerceive = ({ draft: { stop } }: DecisionStateType): 'plan' | 'output' =>
  stop === undefined ? 'plan' : 'output';

export const afterPlan = ({ draft: { stop, choice } }: DecisionStateType): 'build' | 'fallback' | 'output' => {
  if (stop !== undefined) return 'output';
  return choice === undefined ? 'fallback' : 'build';
};

export const afterValidate = ({
  draft: { command, rejections },
}: DecisionStateType): 'output' | 'plan' | 'fallback' => {
  if (command !== undefined) return 'output';
  return rejections.length < maxAttempts ? 'plan' : 'fallback';
};
