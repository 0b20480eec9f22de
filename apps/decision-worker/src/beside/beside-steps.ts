import { setTimeout as sleep } from 'node:timers/promises';
import { Loop } from '@fleet/loop';

interface BesideWork<T> {
  /** How often it is looked whether there is something to do. */
  readonly lookMs: number;
  /** So much is done at once: each may take minutes, and none holds a place of the queue. */
  readonly atOnce: number;
  /** Undefined: there is nothing to do just now. */
  readonly take: () => Promise<T | undefined>;
  /** Never rejects. */
  readonly answer: (one: T) => Promise<void>;
  /** Hears that nothing can be taken just now. */
  readonly onTrouble: (error: unknown) => void;
}

/** A worker that receives a stop request waits so long for what its models were asked: those calls have been ended. */
const drainMs = 5_000;

/** Does what is waited for beside the steps: no step waits for it. */
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

  /** Whether there was room and something to begin with. */
  private async begin(): Promise<boolean> {
    if (this.inProgress.size >= this.work.atOnce) return false;
    const one = await this.work.take();
    if (one === undefined) return false;
    const answered = this.work.answer(one).finally(() => this.inProgress.delete(answered));
    this.inProgress.add(answered);
    return true;
  }
}
