import { setTimeout as sleep } from 'node:timers/promises';

/** A call that waits for its group. */
interface Waiting<In, Out> {
  readonly given: In;
  readonly done: (out: Out) => void;
  readonly failed: (error: unknown) => void;
}

interface Grouping {
  /** Maximum calls per group. */
  readonly largest: number;
  /** Milliseconds after a group in which the next one gathers. */
  readonly pauseMs?: number;
  /** Whether an error means that nothing of the group was done: then its calls are made one by one. */
  readonly isRefusal?: (error: unknown) => boolean;
}

/**
 * Groups calls: the first is sent at once, and calls that arrive while it is in progress are sent together in the next
 * group. An idle service waits for nothing, a busy one makes a fraction of the round trips and waits for the disk once
 * for many. One at a time: two in progress would be smaller, and cost more in all.
 */
export class GroupedCalls<In, Out> {
  private readonly waiting: Waiting<In, Out>[] = [];
  private isSending = false;

  /** @param all returns a result for each, in order */
  constructor(
    private readonly all: (group: readonly In[]) => Promise<readonly Out[]>,
    private readonly grouping: Grouping,
  ) {}

  call(given: In): Promise<Out> {
    return new Promise((done, failed) => {
      this.waiting.push({ given, done, failed });
      if (!this.isSending) void this.flush();
    });
  }

  private async flush(): Promise<void> {
    const { largest, pauseMs } = this.grouping;
    this.isSending = true;
    while (this.waiting.length > 0) {
      await this.make(this.waiting.splice(0, largest));
      if (pauseMs !== undefined) await sleep(pauseMs);
    }
    this.isSending = false;
  }

  private async make(group: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await this.all(group.map(({ given }) => given));
      for (const [index, { done }] of group.entries()) done(outs[index] as Out);
    } catch (error) {
      // A call that is rejected must not fail the others.
      if (group.length > 1 && this.grouping.isRefusal?.(error) === true)
        for (const one of group) await this.make([one]);
      else for (const { failed } of group) failed(error);
    }
  }
}
