import type { DecisionStateType } from './state';

/** A choice that cannot run goes back to plan; after this many the fallback takes over. */
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
