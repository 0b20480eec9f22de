import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StepResult } from '@fleet/contracts/queues';

/** Maximum steps in the lane; further ones keep their slots in the queue, so that nothing grows without limit. */
const mostInside = 64;
/** How long a stopping worker waits for steps whose calls it has aborted. */
const drainMs = 5_000;

/** A step, and what to do if it fails after its job has ended. */
interface LaneStep {
  readonly take: () => Promise<StepResult>;
  /** Never rejects. */
  readonly failed: (error: unknown) => Promise<void>;
}

/**
 * Runs steps while they call models, which may take minutes. Their jobs end as `waiting`, so that they hold no slot of
 * the queue, and other steps continue beside them.
 */
export class ModelLane {
  private readonly letGo = new AsyncLocalStorage<() => void>();
  private readonly inside = new Set<Promise<void>>();

  /** The result of a step, or `waiting` as soon as it calls a model. */
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

  /** Called inside a step before it calls a model. */
  enter(): void {
    if (this.inside.size < mostInside) this.letGo.getStore()?.();
  }

  /** Model calls of the steps were aborted one phase before. */
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
