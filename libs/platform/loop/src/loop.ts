import { setTimeout as pause } from 'node:timers/promises';

/**
 * One check for work. `true`: there was some, and the next round begins at once.
 * @param stopping aborted when the loop stops: long work must end
 */
export type Round = (stopping: AbortSignal) => Promise<unknown>;

/**
 * Repeats a round until it is stopped, one at a time, with pauses of half to one and a half intervals, so that copies
 * in other processes do not synchronise. What is due is in a store, so nothing is lost with the loop. An error is
 * reported and does not end the loop. A pause does not keep the process alive.
 */
export class Loop {
  private readonly stopping = new AbortController();
  private wakeUp = new AbortController();
  private running: Promise<void> = Promise.resolve();

  /**
   * @param everyMs milliseconds of an average pause
   * @param onError called with the error of a rejected round
   */
  constructor(
    private readonly round: Round,
    private readonly everyMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  start(): void {
    this.running = this.run();
  }

  /** Begins the next round at once. Optional: it only saves time. */
  wake(): void {
    this.wakeUp.abort();
  }

  /** Resolves when the round in progress has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      // Before the round: a wake-up during it counts.
      this.wakeUp = new AbortController();
      if (!(await this.foundWork())) await this.rest(this.wakeUp.signal);
    }
  }

  private async foundWork(): Promise<boolean> {
    try {
      return (await this.round(this.stopping.signal)) === true;
    } catch (error) {
      this.onError(error);
      return false;
    }
  }

  private async rest(signal: AbortSignal): Promise<void> {
    const ms = this.everyMs * (0.5 + Math.random());
    await pause(ms, undefined, { ref: false, signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
