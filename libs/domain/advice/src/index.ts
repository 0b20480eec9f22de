/** Reads requests in plain words, only by the rules of `knowledge/advice.yaml`. Pure. */
export { checkedReading } from './advice-reader';
export { firstGuidance, guidanceGoingOn, nextGuidance, type NewGuidance, type ReadAdvice } from './next-guidance';
export { heldRequests, type HeldRequest } from './held-requests';
export { readAdvice, type AdviceContext } from './read-advice';
export { experimentOf } from './experiment-of';
export { withModelDirectives } from './model-reading';
export { problemWithModelDirective, type ModelDirective } from './model-directive';
export { adviceWords, patternProblemsOf } from './compile-words';
export { cleanAdvice, type CleanedAdvice, type RemovedText } from './clean-advice';
export type { AdviceReading, UnderstoodDirective, UnfollowedWords } from './reading';
