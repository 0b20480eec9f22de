import {
  currentCycle,
  Fault,
  isEnded,
  isFault,
  type AttemptEnding,
  type AttemptRecord,
  type CycleRecord,
  type Session,
  type StepPayload,
  type StepResult,
} from '@fleet/contracts';
import { isoTime, type Clock, type ExecutionBackend, type RunState, type SessionStore } from '@fleet/ports';
import type { ProgramCatalogueService } from '../programs/program-catalogue.service';
import {
  deservesNewAttempt,
  runningDueMs,
  toAnalysis,
  toConflictFree,
  toNextAttempt,
  toStarted,
} from './attempt-transitions';
import { commandName, placeOfAttempt, planRun, type ExecutionLimits } from './plan-run';
import type { SessionMover } from './session-mover';
import type { SessionTurns } from './session-turns';
import type { WaitingRuns } from './waiting-runs';

/** A run for which there is no room is tried again after this by the sweeper, in milliseconds; by us as soon as one ends. */
const waitingDueMs = 5_000;

export interface ExecuteDependencies {
  readonly store: SessionStore;
  readonly backend: ExecutionBackend;
  readonly catalogue: Pick<ProgramCatalogueService, 'resolve'>;
  readonly limits: ExecutionLimits;
  readonly maxAttempts: number;
  readonly clock: Clock;
  readonly mover: SessionMover;
  readonly turns: SessionTurns;
  readonly waiting: WaitingRuns;
}

type Launched = Omit<AttemptRecord, 'attempt' | 'startedAt' | 'ending'>;

/**
 * The step of stage `executing`: makes sure that the current attempt's program runs, or moves the session on when it has
 * ended. Never waits for a program. May run any number of times, in any process: the run's name and the record's version
 * make repeats harmless.
 */
export class ExecuteAttempt {
  constructor(private readonly deps: ExecuteDependencies) {}

  run(payload: Pick<StepPayload, 'sessionId' | 'sessionVersion'>): Promise<StepResult> {
    return this.deps.turns.take(payload.sessionId, () => this.step(payload));
  }

  private async step({
    sessionId,
    sessionVersion,
  }: Pick<StepPayload, 'sessionId' | 'sessionVersion'>): Promise<StepResult> {
    const session = await this.deps.store.load(sessionId);
    if (session !== undefined && isEnded(session.status)) await this.deps.mover.keep(sessionId);
    const due = session?.status === 'running' && session.stage === 'executing' && session.version === sessionVersion;
    if (!due) {
      this.deps.waiting.remove(sessionId);
      return { outcome: 'stale' };
    }
    const record = currentCycle(session);
    if (record === undefined) {
      throw new Fault(
        'execute.no_decision',
        'bug',
        `${sessionId} executes cycle ${session.cycle}, which has no decision`,
      );
    }
    const known = record.attempts.find(({ attempt }) => attempt === session.attempt);
    if (known === undefined) return this.launch(session, record);
    const state = await this.deps.backend.find(placeOfAttempt(session, record));
    if (state === undefined) return this.relaunch(session, record, known);
    return this.follow(session, record, state, known, false);
  }

  /** First sight of an attempt. It may run already: then a worker died before it could write that down. */
  private async launch(session: Session, record: CycleRecord): Promise<StepResult> {
    const { backend, catalogue, limits, mover, clock } = this.deps;
    const resolved = await catalogue.resolve(commandName(record), session.request.settings.simulated_programs);
    if ('missing' in resolved) return this.refuse(session, record, resolved);
    const { installed } = resolved;
    const spec = planRun(session, record, installed, limits);
    const launched: Launched = {
      backend: backend.name,
      provider: installed.provider,
      programVersion: installed.version,
    };
    const attempt = { ...launched, attempt: session.attempt, startedAt: isoTime(clock) };
    try {
      const state = await backend.ensure(spec);
      const startedAt = state.state === 'waiting' ? attempt.startedAt : state.startedAt;
      return await this.follow(session, record, state, { ...attempt, startedAt }, true);
    } catch (error) {
      if (!isFault(error)) throw error;
      if (error.code === 'run.spec_conflict') {
        // Nobody would ever look at what that other run makes.
        await backend.cancel(spec);
        return mover.move(toConflictFree(session, record, error.message, isoTime(clock)));
      }
      if (error.code !== 'run.folder_unusable') throw error;
      const ending = this.ending({ kind: 'not_started', infrastructure: true, message: error.message });
      return mover.move(toNextAttempt(session, record, { attempt, ending, startIsNews: false }, this.limit()));
    }
  }

  /** The record knows the attempt, but nothing is left of it: its folder was deleted. */
  private relaunch(session: Session, record: CycleRecord, known: AttemptRecord): Promise<StepResult> {
    const ending = this.ending({
      kind: 'lost',
      infrastructure: true,
      message: `${record.decision.program} was lost: its folder is gone.`,
    });
    const ended = { attempt: known, ending, startIsNews: false };
    return this.deps.mover.move(toNextAttempt(session, record, ended, this.limit()));
  }

  private async follow(
    session: Session,
    record: CycleRecord,
    state: RunState,
    attempt: AttemptRecord,
    isNew: boolean,
  ): Promise<StepResult> {
    const { store, mover, waiting } = this.deps;
    if (state.state !== 'waiting') waiting.remove(session.id);
    switch (state.state) {
      case 'waiting':
        waiting.add(session.id);
        await store.postpone(session.id, session.version, waitingDueMs, false);
        return { outcome: 'waiting' };
      case 'running':
        if (isNew) return mover.move(toStarted(session, record, attempt));
        await store.postpone(session.id, session.version, runningDueMs, false);
        return { outcome: 'waiting' };
      case 'ended': {
        const ended = { attempt, ending: state.ending, startIsNews: isNew };
        const next = deservesNewAttempt(state.ending)
          ? toNextAttempt(session, record, ended, this.limit())
          : toAnalysis(session, record, ended);
        return mover.move(next);
      }
    }
  }

  /** The program cannot run here (any more): the cycle failed, and the next decision sees why. */
  private refuse(
    session: Session,
    record: CycleRecord,
    { missing, standIn }: { readonly missing: string; readonly standIn?: { readonly version: string } },
  ): Promise<StepResult> {
    const attempt: AttemptRecord = {
      attempt: session.attempt,
      backend: this.deps.backend.name,
      provider: standIn === undefined ? 'phenix' : 'simulated',
      programVersion: 'not installed',
      startedAt: isoTime(this.deps.clock),
    };
    const ending = this.ending({ kind: 'not_started', infrastructure: false, message: `${missing}.` });
    return this.deps.mover.move(toAnalysis(session, record, { attempt, ending, startIsNews: false }));
  }

  private ending(what: Pick<AttemptEnding, 'kind' | 'infrastructure' | 'message'>): AttemptEnding {
    return { ...what, endedAt: isoTime(this.deps.clock), durationMs: 0 };
  }

  private limit(): { readonly maxAttempts: number; readonly at: string } {
    return { maxAttempts: this.deps.maxAttempts, at: isoTime(this.deps.clock) };
  }
}
