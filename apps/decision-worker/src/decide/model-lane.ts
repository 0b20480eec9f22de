import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StepResult } from '@fleet/contracts/queues';

/** Steps that continue here at once; those beyond keep their places in the queue, so that nothing grows without end. */
const mostInside = 64;
/** A worker that receives a stop request waits this long for steps whose calls it has ended. */
const drainMs = 5_000;

/** A step, and what is done where it fails when its job has been let go. */
interface LaneStep {
  readonly take: () => Promise<StepResult>;
  /** Never rejects. */
  readonly failed: (error: unknown) => Promise<void>;
}

/**
 * Where steps continue while they ask models, which may take minutes: their jobs end as `waiting`, so that they hold no place of the queue, and
 * steps that ask nobody continue beside them.
 */
export class ModelLane {
  private readonly letGo = new AsyncLocalStorage<() => void>();
  private readonly inside = new Set<Promise<void>>();

  /** The result of a step, or `waiting` from when it asks a model. */
  run({ take, failed }: LaneStep): Promise<StepResult> {
    let letGo = (): void => undefined;
    const left = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const step = this.letGo.run(letGo, take);
    const waiting = left.then((): StepResult => {
      this.keep(step, failed);
      return { outcome: 'waiting' };
    });
    return Promise.race([step, waiting]);
  }

  /** Called inside a step: it asks a model from now on. */
  enter(): void {
    if (this.inside.size < mostInside) this.letGo.getStore()?.();
  }

  /** What the steps asked was ended one phase before. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.race([Promise.all(this.inside), sleep(drainMs, undefined, { ref: false })]);
  }

  private keep(step: Promise<StepResult>, failed: LaneStep['failed']): void {
    const settled = step
      .then(() => undefined, failed)
      .finally(() => {
        this.inside.delete(settled);
      });
    this.inside.add(settled);
  }
}
