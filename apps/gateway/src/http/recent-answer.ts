import type { Clock } from '@fleet/ports';

/** An answer that is asked for more often than it changes: who asks within its time gets the one that is known or on its way. */
export class RecentAnswer<Answer> {
  private known: { readonly of: string; readonly at: number; readonly answer: Promise<Answer> } | undefined;

  constructor(
    private readonly clock: Clock,
    /** Milliseconds for which an answer is good enough. */
    private readonly freshMs: number,
  ) {}

  /** @param of what it is the answer to; another one is looked for again, and the last one alone is kept */
  get(look: () => Promise<Answer>, of = ''): Promise<Answer> {
    const now = this.clock.now();
    if (this.known?.of !== of || now - this.known.at >= this.freshMs) {
      const answer = look();
      this.known = { of, at: now, answer };
      // One that fails is not an answer for those that ask next.
      answer.catch(() => {
        if (this.known?.answer === answer) this.known = undefined;
      });
    }
    return this.known.answer;
  }
}
