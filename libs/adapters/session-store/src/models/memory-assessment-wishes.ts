import type { AssessmentWish, AssessmentWishes } from '@fleet/ports';

type Waiting = AssessmentWish & { readonly dueAt: number };

/** Wishes for assessments in memory, for tests. */
export class MemoryAssessmentWishes implements AssessmentWishes {
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly now: () => number = Date.now,
    private readonly isArchived: (session: string) => boolean = () => false,
  ) {}

  ask(session: string, number: number): Promise<AssessmentWish | undefined> {
    if (this.isArchived(session)) return Promise.resolve(undefined);
    const now = this.now();
    if (!this.waiting.has(session)) this.waiting.set(session, { session, number, askedAt: now, dueAt: now });
    return this.find(session);
  }

  find(session: string): Promise<AssessmentWish | undefined> {
    return Promise.resolve(told(this.waiting.get(session)));
  }

  take(leaseMs: number): Promise<AssessmentWish | undefined> {
    const due = [...this.waiting.values()].filter(({ dueAt }) => dueAt <= this.now());
    const [first] = due.sort((one, other) => one.dueAt - other.dueAt);
    if (first !== undefined) this.waiting.set(first.session, { ...first, dueAt: this.now() + leaseMs });
    return Promise.resolve(told(first));
  }

  putBack(wish: AssessmentWish, inMs: number): Promise<void> {
    const known = this.same(wish);
    if (known !== undefined) this.waiting.set(wish.session, { ...known, dueAt: this.now() + inMs });
    return Promise.resolve();
  }

  done(wish: AssessmentWish): Promise<void> {
    if (this.same(wish) !== undefined) this.waiting.delete(wish.session);
    return Promise.resolve();
  }

  private same({ session, number }: AssessmentWish): Waiting | undefined {
    const known = this.waiting.get(session);
    return known?.number === number ? known : undefined;
  }
}

const told = (known: Waiting | undefined): AssessmentWish | undefined =>
  known === undefined ? undefined : { session: known.session, number: known.number, askedAt: known.askedAt };
