export const MODEL_WISHES = Symbol('ModelWishes');

/** What a model is to write of: a session as a whole, or the log of one of its cycles. */
export interface WishSubject {
  readonly session: string;
  /** Absent: the session is to be assessed. */
  readonly cycle?: number;
}

export interface ModelWish extends WishSubject {
  /** The number of the text of its subject it is to be, from 1. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
}

/** What models are to write on demand: one wish a subject at a time, until it is answered. No step waits for one. */
export interface ModelWishes {
  /**
   * Wishes for a text; where one is wished for already, that one stays.
   * @returns undefined where there is no such session (any more)
   * @throws Fault `store.unreachable` (transient)
   */
  ask(subject: WishSubject, number: number): Promise<ModelWish | undefined>;
  find(subject: WishSubject): Promise<ModelWish | undefined>;
  /** Takes the one that waits longest: it is nobody else's for so many milliseconds. Undefined: none waits. */
  take(leaseMs: number): Promise<ModelWish | undefined>;
  /** Lets others take it, in so many milliseconds. */
  putBack(wish: ModelWish, inMs: number): Promise<void>;
  /** It is answered; one that was wished for since stays. */
  done(wish: ModelWish): Promise<void>;
}
