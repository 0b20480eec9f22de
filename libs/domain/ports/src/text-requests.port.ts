export const TEXT_REQUESTS = Symbol('TextRequests');

/** The subject of a text from a model: a whole session, or the log of one cycle. */
export interface TextSubject {
  readonly session: string;
  /** Absent: the session is to be assessed. */
  readonly cycle?: number;
}

export interface TextRequest extends TextSubject {
  /** 1-based number of this text for its subject. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
}

/** On-demand texts from models: one pending request per subject. No step waits for one. */
export interface TextRequests {
  /**
   * Requests a text; a pending request stays.
   * @returns undefined if the session does not exist (any more)
   * @throws Fault `store.unreachable` (transient)
   */
  ask(subject: TextSubject, number: number): Promise<TextRequest | undefined>;
  find(subject: TextSubject): Promise<TextRequest | undefined>;
  /** Takes the longest-waiting request, with a lease of this many milliseconds. Undefined: none waits. */
  take(leaseMs: number): Promise<TextRequest | undefined>;
  /** Lets other workers take it after this many milliseconds. */
  putBack(request: TextRequest, inMs: number): Promise<void>;
  /** Removes an answered request; a later one stays. */
  done(request: TextRequest): Promise<void>;
}
