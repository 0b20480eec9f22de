import type { SessionHead, StepResult } from '@fleet/contracts';
import type { ExecutionBackend, SessionStore } from '@fleet/ports';
import type { ExecuteAttempt } from './execute-attempt';
import type { WaitingRuns } from './waiting-runs';

/** Length of a session's id, with which a run's name begins (a ULID). */
const sessionIdLength = 26;
const pageSize = 100;

export interface RunEndingsDependencies {
  readonly backend: ExecutionBackend;
  readonly store: SessionStore;
  readonly execute: Pick<ExecuteAttempt, 'run'>;
  readonly waiting: WaitingRuns;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * Makes ends be seen at once. All of it is acceleration: with this switched off, the sweeper wakes every session whose
 * program has ended, only later.
 */
export class RunEndings {
  private readonly underWay = new Set<Promise<void>>();
  private stopped = false;

  constructor(private readonly deps: RunEndingsDependencies) {
    deps.backend.onChanged((name) => {
      this.track(this.ended(name));
    });
  }

  /** After a start: looks at every session whose program may run or have ended meanwhile, and watches those that run. */
  start(): void {
    this.track(this.adopt());
  }

  /** Waits for what is under way, takes nothing new, and leaves the programs alone. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.deps.backend.close();
    await Promise.all(this.underWay);
  }

  private async adopt(): Promise<void> {
    let cursor: string | undefined;
    do {
      const page = await this.deps.store.list({ status: 'running' }, pageSize, cursor);
      for (const head of page.sessions) {
        if (this.stopped) return;
        if (head.stage === 'executing') await this.look(head);
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  private async ended(name: string): Promise<void> {
    await this.lookUp(name.slice(0, sessionIdLength));
    // There is room now: the one that waits longest comes first, until one has to wait again.
    for (const sessionId of this.deps.waiting.list()) {
      const result = await this.lookUp(sessionId);
      if (this.stopped || result?.outcome === 'waiting') return;
    }
  }

  private async lookUp(sessionId: string): Promise<StepResult | undefined> {
    const head = await this.deps.store.loadHead(sessionId);
    if (head !== undefined) return this.look(head);
    this.deps.waiting.remove(sessionId);
    return undefined;
  }

  private look(head: SessionHead): Promise<StepResult> {
    return this.deps.execute.run({ sessionId: head.id, sessionVersion: head.version });
  }

  private track(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error: unknown) => {
        this.deps.onError('following a program; the sweeper will look again', error);
      })
      .finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
  }
}
