export const ASSESSMENT_WISHES = Symbol('AssessmentWishes');

/** A session that a model is to assess. */
export interface AssessmentWish {
  readonly session: string;
  /** The how many-th assessment of the session it is to be, from 1. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
}

/** Which sessions models are to assess: one wish a session at a time, until it is answered. No step waits for one. */
export interface AssessmentWishes {
  /**
   * Wishes for an assessment; where one is wished for already, that one stays.
   * @returns undefined where the session is archived, or not there: nobody asks models about it any more
   * @throws Fault `store.unreachable` (transient)
   */
  ask(session: string, number: number): Promise<AssessmentWish | undefined>;
  find(session: string): Promise<AssessmentWish | undefined>;
  /** Takes the one that waits longest: it is nobody else's for so many milliseconds. Undefined: none waits. */
  take(leaseMs: number): Promise<AssessmentWish | undefined>;
  /** Lets others take it, in so many milliseconds. */
  putBack(wish: AssessmentWish, inMs: number): Promise<void>;
  /** It is answered; one that was wished for since stays. */
  done(wish: AssessmentWish): Promise<void>;
}
