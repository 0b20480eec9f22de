export const MODEL_BREAKER = Symbol('ModelBreaker');

/**
 * What a request says about its target.
 * - `works`: it has answered, if only to say no
 * - `trouble`: it may pass; twice in a row, and the target is left alone
 * - `down`: it is left alone at once
 * - `unknown`: it was not for the target to say
 */
export type TargetSign = 'works' | 'trouble' | 'down' | 'unknown';

/**
 * Leaves targets in trouble alone, for all workers: for half a minute, twice as long each time that it was in vain, five minutes at the most.
 * Then one request may try, and the others wait for its outcome.
 */
export interface ModelBreaker {
  /** Whether the target may be asked now. Whoever may says afterwards its outcome. */
  admit(target: string): Promise<boolean>;
  /** @param restMs how long the target wants to be left alone, where it has said so */
  report(target: string, sign: TargetSign, restMs?: number): Promise<void>;
}
