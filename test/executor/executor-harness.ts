import { attemptName, type CycleRecord, type Session, type SessionSettings, type StepResult } from '@fleet/contracts';
import type { ExecutionBackend, SessionFolderPort } from '@fleet/ports';
import { MemorySessionStore } from '@fleet/session-store';
import { aDecision, anEvent, anId, aNewSession, aRequest, ManualClock, someSettings } from '@fleet/testing';
import { CancelSession } from '../../apps/executor-worker/src/cancel/cancel-session';
import { ExecuteAttempt } from '../../apps/executor-worker/src/execute/execute-attempt';
import { RunEndings } from '../../apps/executor-worker/src/execute/run-endings.service';
import { SessionMover } from '../../apps/executor-worker/src/execute/session-mover';
import { SessionTurns } from '../../apps/executor-worker/src/execute/session-turns';
import { WaitingRuns } from '../../apps/executor-worker/src/execute/waiting-runs';
import { ProgramCatalogueService } from '../../apps/executor-worker/src/programs/program-catalogue.service';

/** The executor's use cases over the store in memory and a backend that tests direct. */
export class ExecutorHarness {
  readonly clock = new ManualClock();
  readonly store = new MemorySessionStore(this.clock);
  /** Stages that were woken. */
  readonly woken: string[] = [];
  /** Sessions whose file was written. */
  readonly written: Session[] = [];
  readonly errors: unknown[] = [];
  readonly turns = new SessionTurns();
  readonly waiting = new WaitingRuns();
  readonly mover = new SessionMover(this.store, this.folder(), (head) => {
    this.woken.push(head.stage);
    return Promise.resolve();
  });
  readonly catalogue: ProgramCatalogueService;
  readonly execute: ExecuteAttempt;
  readonly cancel: CancelSession;
  readonly endings: RunEndings;

  constructor(readonly backend: ExecutionBackend) {
    const { store, clock, mover, turns, waiting } = this;
    const onError = (_what: string, error: unknown): void => void this.errors.push(error);
    const limits = {
      ofProgram: () => ({ wallClockMinutes: 30, memoryMiB: 2000, cpus: 1 }),
      machineMiB: 1500,
      logBytes: 1000,
    };
    this.catalogue = new ProgramCatalogueService(backend, store, clock, onError);
    const { catalogue } = this;
    this.execute = new ExecuteAttempt({
      store,
      backend,
      catalogue,
      limits,
      maxAttempts: 3,
      clock,
      mover,
      turns,
      waiting,
    });
    this.cancel = new CancelSession({ store, backend, clock, mover, turns });
    this.endings = new RunEndings({ backend, store, execute: this.execute, waiting, onError });
  }

  /** A session that has decided on a program (phenix.refine). */
  async aDecided(settings: Partial<SessionSettings> = {}, decision = aDecision(), root = '/work'): Promise<string> {
    const id = anId();
    const request = aRequest({ settings: someSettings(settings) });
    await this.store.create(aNewSession({ id, folder: `${root}/mx1/${id}`, request }), [], 1000);
    const cycleRecord: CycleRecord = { cycle: 1, decision, attempts: [] };
    const to = { stage: 'executing', cycle: 1, attempt: 1 } as const;
    await this.store.advance({ sessionId: id, fromVersion: 1, to, cycleRecord, events: [], dueInMs: 1000 });
    return id;
  }

  async load(id: string): Promise<Session> {
    return (await this.store.load(id))!;
  }

  async step(id: string): Promise<StepResult> {
    return this.execute.run({ sessionId: id, sessionVersion: (await this.load(id)).version });
  }

  async cancelSession(id: string): Promise<StepResult> {
    await this.store.requestCancel(id, anEvent({ type: 'session_cancelling' }));
    return this.cancel.run({ sessionId: id, sessionVersion: (await this.load(id)).version });
  }

  async eventsOf(id: string): Promise<readonly string[]> {
    return (await this.store.events(id, '0', 100)).map(({ type }) => type);
  }

  private folder(): SessionFolderPort {
    const writeSession = (session: Session): Promise<void> => Promise.resolve(void this.written.push(session));
    return { writeSession } as unknown as SessionFolderPort;
  }
}

/** Name of an attempt of a session's first cycle. */
export const run = (id: string, attempt = 1): string => attemptName(id, 1, attempt);

/** Waits for something that happens by itself, without being told. */
export const soon = async (look: () => Promise<boolean> | boolean): Promise<void> => {
  for (let turn = 0; turn < 1000; turn += 1) {
    if (await look()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('never happened');
};
