import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Looks for work that is due, again and again: at once while there is some, else when it is woken or after a while. What is due stands in the
 * store, so that nothing is lost with the loop.
 */
export class LookingLoop {
  private readonly stopping = new AbortController();
  private wakeUp = new AbortController();
  private running: Promise<void> = Promise.resolve();

  /**
   * @param look gives true where there was something to do; it tells its own errors and never throws
   * @param idleMs milliseconds between two looks where nothing is due; another process may have written it
   */
  constructor(
    private readonly look: () => Promise<boolean>,
    private readonly idleMs: number,
  ) {}

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  start(): void {
    this.running = this.run();
  }

  /** Something may be due: looks at once. Not needed, only sooner. */
  wake(): void {
    this.wakeUp.abort();
  }

  /** Ends once the look that is under way has. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      // Before the look: who wakes during it is heard.
      this.wakeUp = new AbortController();
      if (!(await this.look())) await this.rest();
    }
  }

  private async rest(): Promise<void> {
    if (this.isStopping || this.wakeUp.signal.aborted) return;
    const woken = once(this.wakeUp.signal, 'abort');
    await Promise.race([woken, pause(this.idleMs, undefined, { ref: false })]);
  }
}
