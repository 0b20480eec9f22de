import type { RunLocation } from '@fleet/ports';
import type { Sight } from './attempt-judge';

/** Milliseconds between checks of runs that another executor started: their supervisors are not our children. */
const pollMs = 100;

/** Reports the end of runs that this executor has seen running. */
export class EndWatch {
  private readonly runs = new Map<string, RunLocation>();
  private readonly busy = new Map<string, Promise<void>>();
  private readonly listeners: ((name: string) => void)[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly look: (run: RunLocation) => Promise<Sight>) {}

  onChanged(listener: (name: string) => void): void {
    this.listeners.push(listener);
  }

  add(run: RunLocation): void {
    this.runs.set(run.name, run);
    this.timer ??= setInterval(() => {
      for (const name of this.runs.keys()) this.lookAt(name);
    }, pollMs).unref();
  }

  /** Checks now: the run's supervisor, a child of this process, has ended. */
  lookAt(name: string): void {
    const run = this.runs.get(name);
    if (run === undefined || this.busy.has(name)) return;
    const looking = this.look(run)
      .then(
        (sight) => {
          if (sight.state === 'running' || !this.runs.delete(name)) return;
          for (const listener of this.listeners) listener(name);
        },
        (error: unknown) => {
          // The sweeper checks again and reports the same error.
          this.runs.delete(name);
          process.emitWarning(error instanceof Error ? error : String(error));
        },
      )
      .finally(() => {
        this.busy.delete(name);
      });
    this.busy.set(name, looking);
  }

  /** Resolves when no check is in progress. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    this.runs.clear();
    this.listeners.length = 0;
    await Promise.all(this.busy.values());
  }
}
