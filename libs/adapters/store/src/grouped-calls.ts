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
  /** Calls share a group only if they have the same key. Absent: any may. */
  readonly keyOf?: (given: In) => string;
}

/**
 * Groups calls: the first is sent at once, and calls that arrive while it is in progress are sent together in the next
 * group. An idle service waits for nothing, a busy one makes a fraction of the round trips and waits for the disk once
 * for many.
 * One at a time: two in progress would be smaller, and cost more in all.
 *
 * A group that the server refuses is made again one by one. So it must be made whole or not at all: one statement, or one transaction.
 */
export class GroupedCalls<In, Out> {
  /** By key; the first is next. */
  private readonly waiting = new Map<string, Waiting<In, Out>[]>();
  private isSending = false;

  /** @param all returns a result for each, in order */
  constructor(
    private readonly all: (group: readonly In[]) => Promise<readonly Out[]>,
    private readonly limits: Limits<In>,
  ) {}

  call(given: In): Promise<Out> {
    return new Promise((done, failed) => {
      const key = this.limits.keyOf?.(given) ?? '';
      const one = { given, done, failed };
      if (this.waiting.get(key)?.push(one) === undefined) this.waiting.set(key, [one]);
      if (!this.isSending) void this.flush();
    });
  }

  private async flush(): Promise<void> {
    this.isSending = true;
    for (const [key, queue] of this.waiting) await this.make(this.nextGroup(key, queue));
    this.isSending = false;
  }

  /** The calls of a key that wait longest; the others of this key are next after all other keys. */
  private nextGroup(key: string, queue: Waiting<In, Out>[]): readonly Waiting<In, Out>[] {
    const group = queue.splice(0, this.limits.largest);
    this.waiting.delete(key);
    if (queue.length > 0) this.waiting.set(key, queue);
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
