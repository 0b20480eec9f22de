import { setTimeout as sleep } from 'node:timers/promises';

/** Something that is looked after again and again. */
export interface Chore {
  /** In words, for the log. */
  readonly what: string;
  readonly everyMs: number;
  /** @param signal says that the process stops: what takes long ends */
  readonly act: (signal: AbortSignal) => Promise<unknown>;
}

/** Does its chores from start to stop, each for itself. An error ends none of them. Copies in other processes do no harm. */
export class Upkeep {
  private readonly stopping = new AbortController();
  private loops: readonly Promise<void>[] = [];

  constructor(
    private readonly chores: readonly Chore[],
    private readonly onError: (what: string, error: unknown) => void,
  ) {}

  start(): void {
    this.loops = this.chores.map((chore) => this.keepDoing(chore));
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.loops);
  }

  private async keepDoing({ what, everyMs, act }: Chore): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await act(signal);
      } catch (error) {
        this.onError(what, error);
      }
      // Half to one and a half intervals, so that copies do not march in step.
      await sleep(everyMs * (0.5 + Math.random()), undefined, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }
}
