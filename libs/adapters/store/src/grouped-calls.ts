import { isRefusal } from './database';

/** A call that waits for its group. */
interface Waiting<In, Out> {
  readonly given: In;
  readonly done: (out: Out) => void;
  readonly failed: (error: unknown) => void;
}

interface Limits<In> {
  /** Maximum calls per group. */
  readonly largest: number;
  /** Maximum groups in progress. */
  readonly atOnce: number;
  /** Calls share a group only if they have the same key. Absent: any may. */
  readonly keyOf?: (given: In) => string;
}

/**
 * Groups calls: the first is sent at once, and calls that arrive while groups are in progress are sent in the next one.
 * An idle service waits for nothing, a busy one makes a fraction of the round trips and waits for the disk once for
 * many.
 *
 * A group that the server refuses is made again one by one. So it must be made whole or not at all: one statement, or one transaction.
 */
export class GroupedCalls<In, Out> {
  private waiting: Waiting<In, Out>[] = [];
  private onTheirWay = 0;

  /** @param all returns a result for each, in order */
  constructor(
    private readonly all: (group: readonly In[]) => Promise<readonly Out[]>,
    private readonly limits: Limits<In>,
  ) {}

  call(given: In): Promise<Out> {
    return new Promise((done, failed) => {
      this.waiting.push({ given, done, failed });
      if (this.onTheirWay < this.limits.atOnce) void this.flush();
    });
  }

  private async flush(): Promise<void> {
    this.onTheirWay += 1;
    while (this.waiting.length > 0) await this.make(this.nextGroup());
    this.onTheirWay -= 1;
  }

  /** The call that waits longest, and others with its key. */
  private nextGroup(): readonly Waiting<In, Out>[] {
    const { largest, keyOf } = this.limits;
    if (keyOf === undefined) return this.waiting.splice(0, largest);
    const [first] = this.waiting;
    const key = first && keyOf(first.given);
    const group = this.waiting.filter(({ given }) => keyOf(given) === key).slice(0, largest);
    const taken = new Set(group);
    this.waiting = this.waiting.filter((one) => !taken.has(one));
    return group;
  }

  private async make(group: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await this.all(group.map(({ given }) => given));
      for (const [index, { done }] of group.entries()) done(outs[index] as Out);
    } catch (error) {
      // A call that the server rejects must not fail the others.
      if (group.length > 1 && isRefusal(error)) for (const one of group) await this.make([one]);
      else for (const { failed } of group) failed(error);
    }
  }
}
