import { setTimeout as sleep } from 'node:timers/promises';
import { Loop } from '@fleet/loop';

interface BesideWork<T> {
  /** Interval between checks for work, in milliseconds. */
  readonly lookMs: number;
  /** Number of tasks in progress at once: each may take minutes, and none holds a slot of the queue. */
  readonly atOnce: number;
  /** Undefined: there is no work now. */
  readonly take: () => Promise<T | undefined>;
  /** Never rejects. */
  readonly answer: (one: T) => Promise<void>;
  /** Called when no work can be fetched. */
  readonly onTrouble: (error: unknown) => void;
}

/** How long a stopping worker waits for its model calls, which are aborted by then. */
const drainMs = 5_000;

/** Does work beside the steps, which do not wait for it. */
export class BesideSteps<T> {
  private readonly inProgress = new Set<Promise<void>>();
  private readonly loop: Loop;

  constructor(private readonly work: BesideWork<T>) {
    this.loop = new Loop(() => this.begin(), work.lookMs, work.onTrouble);
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await Promise.race([Promise.all(this.inProgress), sleep(drainMs, undefined, { ref: false })]);
  }

  /** Whether there was a free slot and work to begin. */
  private async begin(): Promise<boolean> {
    if (this.inProgress.size >= this.work.atOnce) return false;
    const one = await this.work.take();
    if (one === undefined) return false;
    const answered = this.work.answer(one).finally(() => this.inProgress.delete(answered));
    this.inProgress.add(answered);
    return true;
  }
}
