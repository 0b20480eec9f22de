export const MODEL_WISHES = Symbol('ModelWishes');

/** The subject of a text from a model: a whole session, or the log of one cycle. */
export interface WishSubject {
  readonly session: string;
  /** Absent: the session is to be assessed. */
  readonly cycle?: number;
}

export interface ModelWish extends WishSubject {
  /** 1-based number of this text for its subject. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
}

/** On-demand texts from models: one pending request per subject. No step waits for one. */
export interface ModelWishes {
  /**
   * Requests a text; a pending request stays.
   * @returns undefined if the session does not exist (any more)
   * @throws Fault `store.unreachable` (transient)
   */
  ask(subject: WishSubject, number: number): Promise<ModelWish | undefined>;
  find(subject: WishSubject): Promise<ModelWish | undefined>;
  /** Takes the longest-waiting request, with a lease of this many milliseconds. Undefined: none waits. */
  take(leaseMs: number): Promise<ModelWish | undefined>;
  /** Lets other workers take it after this many milliseconds. */
  putBack(wish: ModelWish, inMs: number): Promise<void>;
  /** Removes an answered request; a later one stays. */
  done(wish: ModelWish): Promise<void>;
}
