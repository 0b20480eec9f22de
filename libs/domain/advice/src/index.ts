/** Reads requests in plain words, only by the rules of `knowledge/advice.yaml`. Pure. */
export { checkedReading } from './advice-reader';
export { firstGuidance, guidanceGoingOn, nextGuidance, type NewGuidance, type ReadAdvice } from './next-guidance';
export { heldWishes, type HeldWish } from './held-wishes';
export { readAdvice, type AdviceContext } from './read-advice';
export { experimentOf } from './experiment-of';
export { withModelWishes } from './model-reading';
export { problemWithModelWish, type ModelWish } from './model-wish';
export { adviceWords, patternProblemsOf } from './compile-words';
export { cleanAdvice, type CleanedAdvice, type RemovedText } from './clean-advice';
export type { AdviceReading, UnderstoodWish, UnfollowedWords } from './reading';
