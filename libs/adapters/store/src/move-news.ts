import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two looks of somebody who waits for a move of another process. */
const lookMs = 100;

/**
 * Tells those in this process who wait that something has moved. Moves of other processes are seen by looking again: a notice is an accelerator,
 * and the numbers of the moves are what counts.
 */
export class MoveNews {
  private readonly waiting = new Set<() => void>();

  tell(): void {
    for (const wake of [...this.waiting]) wake();
  }

  /** Looks until there is something, or the time is over; gives what was found last. */
  async until<T>(look: () => Promise<T>, isEnough: (found: T) => boolean, waitMs: number): Promise<T> {
    const from = performance.now();
    for (;;) {
      const stir = this.nextStir();
      const found = await look();
      const left = waitMs - (performance.now() - from);
      if (isEnough(found) || left <= 0) {
        stir.forget();
        return found;
      }
      await Promise.race([stir.happened, pause(Math.min(left, lookMs))]);
      stir.forget();
    }
  }

  /** The next move of this process, from now on. */
  private nextStir(): { readonly happened: Promise<void>; readonly forget: () => void } {
    let wake = (): void => undefined;
    const happened = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.waiting.add(wake);
    return { happened, forget: () => this.waiting.delete(wake) };
  }
}
