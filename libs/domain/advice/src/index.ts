/** Reads requests in plain words, only by the rules of `knowledge/advice.yaml`. Pure. */
export { checkedReading } from './advice-reader';
export { firstGuidance, guidanceGoingOn, nextGuidance, type NewGuidance, type ReadAdvice } from './next-guidance';
export { heldRequests, type HeldRequest } from './held-requests';
export { readAdvice } from './read-advice';
export { experimentOf } from './experiment-of';
export { withModelDirectives } from './model-reading';
export { problemWithModelDirective, type ModelDirective } from './model-directive';
export { patternProblemsOf } from './compile-words';
export type { AdviceReading } from './reading';
