import { setTimeout as sleep } from 'node:timers/promises';

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

/** A worker that is told to end waits so long for what its models were asked: those calls have been ended. */
const drainMs = 5_000;

/** Does what is waited for beside the steps: no step waits for it. */
export class BesideSteps<T> {
  private readonly stopping = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private loop: Promise<void> = Promise.resolve();

  constructor(private readonly work: BesideWork<T>) {}

  start(): void {
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
    await Promise.race([Promise.all(this.underWay), sleep(drainMs, undefined, { ref: false })]);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const isTaken = this.underWay.size < this.work.atOnce && (await this.begin());
      if (isTaken) continue;
      await sleep(this.work.lookMs, undefined, { ref: false, signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }

  /** Whether there was something to begin with. Never rejects. */
  private async begin(): Promise<boolean> {
    try {
      const one = await this.work.take();
      if (one === undefined) return false;
      const answered = this.work.answer(one).finally(() => this.underWay.delete(answered));
      this.underWay.add(answered);
      return true;
    } catch (error) {
      this.work.onTrouble(error);
      return false;
    }
  }
}
