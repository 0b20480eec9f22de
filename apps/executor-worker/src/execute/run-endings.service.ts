import type { StepResult } from '@fleet/contracts/queues';
import { attemptOfName } from '@fleet/contracts/runs';
import type { SessionHead } from '@fleet/contracts/sessions';
import type { ExecutionBackend, LaunchControl, RunSlots, SessionIndex, SessionRecords } from '@fleet/ports';
import type { StepOfSession } from '@fleet/steps';
import type { GrantedRuns } from './granted-runs';
import type { LaunchQueue } from './launch-queue';

const pageSize = 100;
/** Failures of waiting sessions before the round is abandoned, because something else is wrong. */
const maxFailures = 3;

export interface RunEndingsDependencies {
  readonly backend: ExecutionBackend;
  readonly records: Pick<SessionRecords, 'loadHead'>;
  readonly index: Pick<SessionIndex, 'list'>;
  /** Runs the step of stage `executing`. */
  readonly execute: (due: StepOfSession) => Promise<StepResult>;
  readonly queue: Pick<LaunchQueue, 'serve'>;
  readonly slots: Pick<RunSlots, 'stuck'>;
  readonly control: Pick<LaunchControl, 'read'>;
  readonly granted: Pick<GrantedRuns, 'onGranted'>;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * Processes starts and ends at once. It only saves time: without it, the sweeper wakes every session whose program has
 * started or ended, only later.
 */
export class RunEndings {
  private readonly inProgress = new Set<Promise<void>>();
  private stopped = false;
  /** The check of waiting sessions in progress, and whether another was requested meanwhile. */
  private trying: Promise<void> | undefined;
  private tryAgain = false;

  constructor(private readonly deps: RunEndingsDependencies) {
    deps.backend.onChanged((name) => this.track(this.changed(name)));
    deps.granted.onGranted((names) => {
      for (const name of names) this.track(this.tryOne(name).then(() => undefined));
    });
  }

  /** After a start: checks every session whose program may run or have ended meanwhile, and watches those that run. */
  start(): void {
    this.track(this.adopt());
  }

  /** Waits for work in progress, accepts no new work, and leaves the programs running. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.deps.backend.close();
    await this.idle();
  }

  /** Resolves when all starts, ends and grants are processed. */
  async idle(): Promise<void> {
    while (this.inProgress.size > 0) await Promise.all(this.inProgress);
  }

  /**
   * Rechecks the sessions that wait here: a slot may be free now, on this executor or another one, or launches were
   * resumed. One check at a time, however many ends request it.
   */
  tryWaiting(): Promise<void> {
    this.tryAgain = true;
    this.trying ??= this.tryWhileAsked().finally(() => {
      this.trying = undefined;
    });
    return this.trying;
  }

  private async tryWhileAsked(): Promise<void> {
    while (this.tryAgain && !this.stopped) {
      this.tryAgain = false;
      await this.tryAll();
    }
  }

  private async tryAll(): Promise<void> {
    const { mode } = await this.deps.control.read();
    const failures = mode === 'open' ? await this.serve() : 0;
    if (failures < maxFailures) await this.tryStuck();
  }

  /**
   * Grants slots to the next runs and launches them, until none gets one or the backend is full. A failure does not
   * affect the others; that run keeps its slot, because it may have started.
   * @returns number of failures
   */
  private async serve(): Promise<number> {
    let failures = 0;
    for (;;) {
      const granted = await this.deps.queue.serve();
      let refused = granted.length === 0;
      for (const name of granted) {
        const outcome = await this.tryOne(name);
        failures += Number(outcome === 'failed');
        refused ||= outcome === 'waiting';
        // The rest has its slots and is due.
        if (this.stopped || failures >= maxFailures) return failures;
      }
      if (refused) return failures;
    }
  }

  /** Those whose backend did not respond, until one has to wait again, because the others wait for the same. */
  private async tryStuck(): Promise<void> {
    let failures = 0;
    for (const name of await this.deps.slots.stuck()) {
      const outcome = await this.tryOne(name);
      failures += Number(outcome === 'failed');
      if (this.stopped || outcome === 'waiting' || failures >= maxFailures) return;
    }
  }

  /** A failure does not prevent the others from being tried. */
  private async tryOne(name: string): Promise<StepResult['outcome'] | 'failed' | undefined> {
    const run = attemptOfName(name);
    if (run === undefined) return undefined;
    try {
      return (await this.lookUp(run.sessionId))?.outcome;
    } catch (error) {
      this.deps.onError(`looking at ${run.sessionId}, which waits; the sweeper will check again`, error);
      return 'failed';
    }
  }

  private async adopt(): Promise<void> {
    let cursor: string | undefined;
    do {
      const page = await this.deps.index.list({ status: 'running' }, pageSize, cursor);
      for (const head of page.sessions) {
        if (this.stopped) return;
        if (head.stage === 'executing') await this.adoptOne(head);
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /** A failure does not prevent the others from being checked. */
  private async adoptOne(head: SessionHead): Promise<void> {
    try {
      await this.look(head);
    } catch (error) {
      this.deps.onError(`looking after ${head.id} at the start; the sweeper will check again`, error);
    }
  }

  /** A run has started, unknown to its session, or ended. */
  private async changed(name: string): Promise<void> {
    const run = attemptOfName(name);
    if (run !== undefined) await this.lookUp(run.sessionId);
    await this.tryWaiting();
  }

  /** Repeats the step if another one, such as that of the launch, has advanced the session meanwhile. */
  private async lookUp(sessionId: string): Promise<StepResult | undefined> {
    let before: SessionHead | undefined;
    for (;;) {
      const head = await this.deps.records.loadHead(sessionId);
      if (head === undefined || head.version === before?.version) return undefined;
      const result = await this.look(head);
      if (result.outcome !== 'stale') return result;
      before = head;
    }
  }

  private look(head: SessionHead): Promise<StepResult> {
    return this.deps.execute({ sessionId: head.id, sessionVersion: head.version });
  }

  private track(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error: unknown) => this.deps.onError('following a program; the sweeper will check again', error))
      .finally(() => this.inProgress.delete(tracked));
    this.inProgress.add(tracked);
  }
}
