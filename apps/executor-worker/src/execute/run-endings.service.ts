import { attemptOfName, type SessionHead, type StepResult } from '@fleet/contracts';
import type { ExecutionBackend, SessionIndex, SessionRecords } from '@fleet/ports';
import type { StepOfSession } from '@fleet/steps';
import type { WaitingRuns } from './waiting-runs';

const pageSize = 100;
/** Of those that wait; then something else is wrong, and the rest is left alone for a while. */
const maxFailures = 3;

export interface RunEndingsDependencies {
  readonly backend: ExecutionBackend;
  readonly records: Pick<SessionRecords, 'loadHead'>;
  readonly index: Pick<SessionIndex, 'list'>;
  /** Takes the step of stage `executing`. */
  readonly execute: (due: StepOfSession) => Promise<StepResult>;
  readonly waiting: WaitingRuns;
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

  /** Of those that wait for the same thing the first comes first, until one has to wait again. */
  private async tryAll(): Promise<void> {
    const full = new Set<string>();
    let failures = 0;
    const { waiting } = this.deps;
    for (const sessionId of waiting.list()) {
      const waitsFor = waiting.of(sessionId);
      if (waitsFor === undefined || full.has(waitsFor)) continue;
      const outcome = await this.tryOne(sessionId);
      failures += Number(outcome === 'failed');
      if (this.stopped || failures >= maxFailures) return;
      if (outcome === 'waiting') full.add(waiting.of(sessionId) ?? waitsFor);
    }
  }

  /** One that fails keeps no other from being tried: it goes to the end of the line. */
  private async tryOne(sessionId: string): Promise<StepResult['outcome'] | 'failed' | undefined> {
    try {
      return (await this.lookUp(sessionId))?.outcome;
    } catch (error) {
      this.deps.onError(`looking at ${sessionId}, which waits; the sweeper will look again`, error);
      this.deps.waiting.toTheEnd(sessionId);
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
    if (head !== undefined) return this.look(head);
    this.deps.waiting.remove(sessionId);
    return undefined;
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
