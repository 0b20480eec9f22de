import type { ModelWish, ModelWishes, WishSubject } from '@fleet/ports';

/** What a subject is called: the session, and `:3` behind it for the log of a cycle. */
const nameOfSubject = ({ session, cycle }: WishSubject): string =>
  cycle === undefined ? session : `${session}:${String(cycle)}`;

interface Waiting {
  readonly wish: ModelWish;
  readonly dueAt: number;
}

/** Wishes for what models are to write, in memory, for tests. */
export class MemoryModelWishes implements ModelWishes {
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly now: () => number = Date.now) {}

  ask(subject: WishSubject, number: number): Promise<ModelWish | undefined> {
    const now = this.now();
    const name = nameOfSubject(subject);
    if (!this.waiting.has(name)) this.waiting.set(name, { wish: { ...subject, number, askedAt: now }, dueAt: now });
    return this.find(subject);
  }

  find(subject: WishSubject): Promise<ModelWish | undefined> {
    return Promise.resolve(this.waiting.get(nameOfSubject(subject))?.wish);
  }

  take(leaseMs: number): Promise<ModelWish | undefined> {
    const due = [...this.waiting.values()].filter(({ dueAt }) => dueAt <= this.now());
    const [first] = due.sort((one, other) => one.dueAt - other.dueAt);
    if (first !== undefined) this.putOff(first.wish, leaseMs);
    return Promise.resolve(first?.wish);
  }

  putBack(wish: ModelWish, inMs: number): Promise<void> {
    if (this.isSame(wish)) this.putOff(wish, inMs);
    return Promise.resolve();
  }

  done(wish: ModelWish): Promise<void> {
    if (this.isSame(wish)) this.waiting.delete(nameOfSubject(wish));
    return Promise.resolve();
  }

  private putOff(wish: ModelWish, inMs: number): void {
    this.waiting.set(nameOfSubject(wish), { wish, dueAt: this.now() + inMs });
  }

  private isSame(wish: ModelWish): boolean {
    return this.waiting.get(nameOfSubject(wish))?.wish.number === wish.number;
  }
}
