import type { StepResult } from '@fleet/contracts/queues';
import { attemptOfName } from '@fleet/contracts/runs';
import type { SessionHead } from '@fleet/contracts/sessions';
import type { ExecutionBackend, LaunchControl, RunSlots, SessionIndex, SessionRecords } from '@fleet/ports';
import type { StepOfSession } from '@fleet/steps';
import type { GrantedRuns } from './granted-runs';
import type { LaunchQueue } from './launch-queue';

const pageSize = 100;
/** Of those that wait; then something else is wrong, and the rest is left alone for a while. */
const maxFailures = 3;

export interface RunEndingsDependencies {
  readonly backend: ExecutionBackend;
  readonly records: Pick<SessionRecords, 'loadHead'>;
  readonly index: Pick<SessionIndex, 'list'>;
  /** Takes the step of stage `executing`. */
  readonly execute: (due: StepOfSession) => Promise<StepResult>;
  readonly queue: Pick<LaunchQueue, 'serve'>;
  readonly slots: Pick<RunSlots, 'stuck'>;
  readonly control: Pick<LaunchControl, 'read'>;
  readonly granted: Pick<GrantedRuns, 'onGranted'>;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * Makes starts and ends be seen at once. All of it is acceleration: with this switched off, the sweeper wakes every session whose
 * program has started or ended, only later.
 */
export class RunEndings {
  private readonly underWay = new Set<Promise<void>>();
  private stopped = false;
  /** The look at those that wait that is under way, and whether another was asked for meanwhile. */
  private trying: Promise<void> | undefined;
  private tryAgain = false;

  constructor(private readonly deps: RunEndingsDependencies) {
    deps.backend.onChanged((name) => {
      this.track(this.changed(name));
    });
    deps.granted.onGranted((names) => {
      for (const name of names) this.track(this.tryOne(name).then(() => undefined));
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
    await this.idle();
  }

  /** Until nothing of what was seen or granted is still looked at. */
  async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  /**
   * Looks again at those that wait here: there may be room now, made by this executor or another one, or launches were opened. One look
   * at a time, however many ends ask for it.
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
   * Gives places to those that are next and launches them, until nobody gets one or the backend has no room. One that fails keeps no
   * other from its place; it keeps its own, for something of it may be there.
   * @returns how many failed
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
        // What is left has its place and is due.
        if (this.stopped || failures >= maxFailures) return failures;
      }
      if (refused) return failures;
    }
  }

  /** Those whose backend did not answer: until one has to wait again, for the others wait for the same. */
  private async tryStuck(): Promise<void> {
    let failures = 0;
    for (const name of await this.deps.slots.stuck()) {
      const outcome = await this.tryOne(name);
      failures += Number(outcome === 'failed');
      if (this.stopped || outcome === 'waiting' || failures >= maxFailures) return;
    }
  }

  /** One that fails keeps no other from being tried. */
  private async tryOne(name: string): Promise<StepResult['outcome'] | 'failed' | undefined> {
    const run = attemptOfName(name);
    if (run === undefined) return undefined;
    try {
      return (await this.lookUp(run.sessionId))?.outcome;
    } catch (error) {
      this.deps.onError(`looking at ${run.sessionId}, which waits; the sweeper will look again`, error);
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

  /** One that fails keeps no other from being seen. */
  private async adoptOne(head: SessionHead): Promise<void> {
    try {
      await this.look(head);
    } catch (error) {
      this.deps.onError(`looking after ${head.id} at the start; the sweeper will look again`, error);
    }
  }

  /** A run started, which its session does not know yet, or ended. */
  private async changed(name: string): Promise<void> {
    const run = attemptOfName(name);
    if (run !== undefined) await this.lookUp(run.sessionId);
    await this.tryWaiting();
  }

  private async lookUp(sessionId: string): Promise<StepResult | undefined> {
    const head = await this.deps.records.loadHead(sessionId);
    return head === undefined ? undefined : this.look(head);
  }

  private look(head: SessionHead): Promise<StepResult> {
    return this.deps.execute({ sessionId: head.id, sessionVersion: head.version });
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
