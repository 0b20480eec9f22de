import type { Clock } from '@fleet/ports';

/**
 * Caches one answer that is requested more often than it changes: callers within its lifetime share the cached one or
 * the query in progress.
 */
export class RecentAnswer<Answer> {
  private known: { readonly of: string; readonly at: number; readonly answer: Promise<Answer> } | undefined;

  constructor(
    private readonly clock: Clock,
    /** Lifetime of an answer, in milliseconds. */
    private readonly freshMs: number,
  ) {}

  /** @param of key of the answer; another key causes a new query, and only the last answer is kept */
  get(look: () => Promise<Answer>, of = ''): Promise<Answer> {
    const now = this.clock.now();
    if (this.known?.of !== of || now - this.known.at >= this.freshMs) {
      const answer = look();
      this.known = { of, at: now, answer };
      // A failure is not cached.
      answer.catch(() => {
        if (this.known?.answer === answer) this.known = undefined;
      });
    }
    return this.known.answer;
  }
}
