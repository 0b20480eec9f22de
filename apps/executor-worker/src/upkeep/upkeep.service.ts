import { Loop, type Round } from '@fleet/loop';

/** Something that is repeated as long as the process runs. */
export interface Chore {
  /** In words, for the log. */
  readonly what: string;
  readonly everyMs: number;
  readonly act: Round;
}

/** Does its chores from start to stop, each in a loop of its own. Copies in other processes do no harm. */
export class Upkeep {
  private readonly loops: readonly Loop[];

  constructor(chores: readonly Chore[], onError: (what: string, error: unknown) => void) {
    this.loops = chores.map(
      ({ what, everyMs, act }) =>
        new Loop(act, everyMs, (error) => {
          onError(what, error);
        }),
    );
  }

  start(): void {
    for (const loop of this.loops) loop.start();
  }

  /** Waits for what is in progress. */
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
