export const MODEL_BREAKER = Symbol('ModelBreaker');

/**
 * What a request shows about its target.
 * - `works`: it answered, even with a refusal
 * - `trouble`: it may be temporary; after the second in a row the breaker opens
 * - `down`: the breaker opens at once
 * - `unknown`: the request does not show it
 */
export type TargetSign = 'works' | 'trouble' | 'down' | 'unknown';

/**
 * Circuit breaker for targets in trouble, shared by all workers: open for half a minute, twice as long after each failed retry, at most five
 * minutes. Then one request may try, and the others wait for its outcome.
 */
export interface ModelBreaker {
  /** Whether the target may be called now. An admitted caller must report the outcome. */
  admit(target: string): Promise<boolean>;
  /** @param restMs pause that the target requested, if any */
  report(target: string, sign: TargetSign, restMs?: number): Promise<void>;
}
