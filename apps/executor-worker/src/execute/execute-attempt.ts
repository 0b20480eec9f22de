import { Fault, isFault } from '@fleet/contracts/faults';
import type { RunSpec } from '@fleet/contracts/runs';
import {
  currentCycle,
  type AttemptEnding,
  type AttemptRecord,
  type CycleRecord,
  type Session,
  type WaitingAttempt,
} from '@fleet/contracts/sessions';
import {
  isoTime,
  type Clock,
  type ExecutionBackend,
  type RunSlots,
  type RunState,
  type Tracing,
  type WaitKind,
} from '@fleet/ports';
import {
  gateDueMs,
  noRoomDueMs,
  runningDueMs,
  tellAfterMs,
  type Move,
  type Next,
  type SessionStep,
} from '@fleet/steps';
import type { ProgramCatalogueService } from '../programs/program-catalogue.service';
import type { RetryLimits } from './after-ending';
import { largerMemory } from './attempt-resources';
import {
  isNewWait,
  knownWait,
  toConflictFree,
  toEnded,
  toStarted,
  toWaiting,
  type EndedAttempt,
} from './attempt-transitions';
import { isRefusal, isTrouble } from './launch-faults';
import { launchedOf, notKnownYet, type Launched } from './launched';
import type { LaunchGate } from './launch-gate';
import { commandName, locationOfAttempt, planRun, type ExecutionLimits } from './plan-run';
import type { RunMeter } from './run-meter';
import { sharedRunOf } from './shared-run';

export interface ExecuteDependencies {
  readonly backend: ExecutionBackend;
  readonly catalogue: Pick<ProgramCatalogueService, 'resolve'>;
  readonly limits: ExecutionLimits;
  /** Why the cycle's command must not be launched; the last check. */
  readonly problemWith: (session: Session, record: CycleRecord) => string | undefined;
  readonly retries: Pick<RetryLimits, 'maxAttempts' | 'maxDisruptions'>;
  readonly gate: LaunchGate;
  readonly slots: RunSlots;
  readonly clock: Clock;
  readonly meter: Pick<RunMeter, 'started' | 'ended'>;
  readonly tracing: Pick<Tracing, 'during' | 'here'>;
}

/** Why and where a launch waits. */
interface Wait {
  readonly reason: string;
  readonly dueInMs: number;
  /** Absent: it is already queued here. */
  readonly kind?: WaitKind;
}

/**
 * The step of stage `executing`: makes sure that the current attempt's program runs, or moves the session on when it
 * has ended. Never waits for a program. May run any number of times, in any process: the run's name and the record's
 * version make repeats harmless.
 */
export class ExecuteAttempt implements SessionStep {
  readonly job = 'execute';

  constructor(private readonly deps: ExecuteDependencies) {}

  async work(session: Session): Promise<Next> {
    const record = currentCycle(session);
    if (record !== undefined) return this.look(session, record);
    const what = `${session.id} executes cycle ${session.cycle}, which has no decision`;
    throw new Fault('execute.no_decision', 'bug', what);
  }

  private async look(session: Session, record: CycleRecord): Promise<Next> {
    const known = record.attempts.find(({ attempt }) => attempt === session.attempt);
    const waited = knownWait(session, record);
    const seen = known ?? (waited?.queuedOnBackend === true ? launchedOf(waited) : undefined);
    if (seen === undefined) return this.launch(session, record);
    const state = await this.deps.backend.find(locationOfAttempt(session, record));
    if (state !== undefined) return this.follow(session, record, state, seen, known === undefined);
    return known === undefined ? this.launch(session, record) : this.lost(session, record, known);
  }

  private async launch(session: Session, record: CycleRecord): Promise<Next> {
    try {
      return await this.launchNow(session, record);
    } catch (error) {
      if (isFault(error) && isTrouble(error)) return this.waitOut(session, record, error);
      throw error;
    }
  }

  /** First step of an attempt. It may already run, if a worker died before it could record that. */
  private async launchNow(session: Session, record: CycleRecord): Promise<Next> {
    const { backend, catalogue, limits, clock } = this.deps;
    const problem = this.deps.problemWith(session, record);
    if (problem !== undefined) return this.keepFrom(session, record, problem);
    const resolved = await catalogue.resolve(commandName(record), session.request.settings.simulated_programs);
    if ('missing' in resolved) return this.refuse(session, record, resolved);
    const { installed } = resolved;
    const spec = planRun(session, record, installed, limits);
    const launched: Launched = {
      attempt: session.attempt,
      backend: backend.name,
      provider: installed.provider,
      programVersion: installed.version,
      resources: { class: spec.resources.class, cpus: spec.resources.cpus, memoryMiB: spec.limits.memoryMiB },
    };
    try {
      return await this.ensure(session, record, spec, launched);
    } catch (error) {
      if (!isFault(error)) throw error;
      if (error.code === 'run.spec_conflict') {
        // The output of that other run would never be read.
        await backend.cancel(spec);
        return this.leave(spec.name, toConflictFree(session, record, error.message, isoTime(clock)));
      }
      if (!isRefusal(error)) throw error;
      // It may run since before the settings changed, if a worker died before it could record that.
      const state = await backend.find(spec);
      if (state !== undefined) return this.follow(session, record, state, launched, true);
      const message = `${record.decision.program} could not start: ${error.message}.`;
      const ending = this.ending({ kind: 'not_started', infrastructure: true, message });
      return this.end(session, record, { attempt: this.startedNow(launched), ending, startIsUnreported: false });
    }
  }

  /** The command is not allowed. An existing run of it was launched by an older release and runs to its end. */
  private async keepFrom(session: Session, record: CycleRecord, problem: string): Promise<Next> {
    const { backend } = this.deps;
    const launched = notKnownYet(session, backend.name);
    const state = await backend.find(locationOfAttempt(session, record));
    if (state !== undefined) return this.follow(session, record, state, launched, true);
    const message = `The command of ${record.decision.program} was not run: ${problem}. The next decision builds a new one.`;
    const ending = this.ending({ kind: 'not_started', infrastructure: false, message });
    const attempt = this.startedNow({ ...launched, programVersion: 'not run' });
    return this.end(session, record, { attempt, ending, startIsUnreported: false });
  }

  private async ensure(session: Session, record: CycleRecord, spec: RunSpec, launched: Launched): Promise<Next> {
    const { backend, gate } = this.deps;
    const admission = await gate.admit(session, spec);
    if (!admission.admitted) {
      const { reason, mayExist, queuedOnBackend } = admission;
      // An existing run cannot be prevented from starting; it runs to its end.
      const state = mayExist ? await backend.find(spec) : undefined;
      if (state === undefined) {
        const shownReason = reason ?? knownWait(session, record)?.reason ?? 'other waiting programs come first';
        const kind = queuedOnBackend ? {} : ({ kind: 'held' } as const);
        return this.wait(session, record, launched, { reason: shownReason, dueInMs: gateDueMs, ...kind });
      }
    }
    return this.follow(session, record, await this.launched(session, spec), launched, true);
  }

  private launched({ id, cycle, attempt }: Session, spec: RunSpec): Promise<RunState> {
    const { backend, tracing } = this.deps;
    const { program, resources } = spec;
    const facts = { sessionId: id, cycle, attempt, program, class: resources.class };
    return tracing.during({ name: 'run.launch', facts }, tracing.here(), async (span) => {
      const state = await backend.ensure(spec);
      span.note({ outcome: state.state });
      return state;
    });
  }

  private async follow(
    session: Session,
    record: CycleRecord,
    state: RunState,
    launched: Launched,
    isNew: boolean,
  ): Promise<Next> {
    const { gate } = this.deps;
    if (state.state === 'waiting') {
      const dueInMs = state.retryDelayMs ?? noRoomDueMs;
      const kind = state.queuedOnBackend === true ? 'in_line' : 'no_room';
      return this.wait(session, record, launched, { reason: state.reason, dueInMs, kind });
    }
    const attempt: AttemptRecord = { startedAt: state.startedAt, ...launched };
    if (state.state === 'ended') {
      return this.end(session, record, { attempt, ending: state.ending, startIsUnreported: isNew });
    }
    await gate.running(session, attempt);
    return isNew ? this.start(session, record, attempt) : { lookAgainInMs: runningDueMs };
  }

  private start(session: Session, record: CycleRecord, attempt: AttemptRecord): Move {
    const afterwards = (): Promise<void> => {
      this.deps.meter.started(attempt);
      return Promise.resolve();
    };
    return { ...toStarted(session, record, attempt), afterwards };
  }

  private async wait(session: Session, record: CycleRecord, launched: Launched, wait: Wait): Promise<Next> {
    const { reason, dueInMs, kind } = wait;
    const run = sharedRunOf(session, launched.resources?.class ?? 'cpu');
    if (kind !== undefined) await this.deps.slots.waiting(run, kind);
    return this.tellWait(session, record, { ...launched, queuedOnBackend: kind === 'in_line', reason }, dueInMs);
  }

  /** Whether anything was created before the error is unknown, so its slot, if it has one, is kept. */
  private waitOut(session: Session, record: CycleRecord, { message }: Fault): Promise<Next> {
    const launched = knownWait(session, record) ?? notKnownYet(session, this.deps.backend.name);
    return this.wait(session, record, launched, { reason: message, dueInMs: gateDueMs, kind: 'stuck' });
  }

  private tellWait(
    session: Session,
    record: CycleRecord,
    waits: Omit<WaitingAttempt, 'since' | 'reportedAt'>,
    dueInMs: number,
  ): Next {
    const at = isoTime(this.deps.clock);
    const known = knownWait(session, record);
    if (isNewWait(session, known, waits.reason, at)) return toWaiting(session, record, waits, { at, dueInMs });
    // An unreported wait is checked again in time to report it.
    return { lookAgainInMs: known === undefined ? Math.min(dueInMs, tellAfterMs) : dueInMs };
  }

  /** The record contains the attempt, but its folder was deleted. */
  private lost(session: Session, record: CycleRecord, known: AttemptRecord): Move {
    const message = `${record.decision.program} was lost: its folder is gone.`;
    const ending = this.ending({ kind: 'lost', infrastructure: true, message });
    return this.end(session, record, { attempt: known, ending, startIsUnreported: false });
  }

  /** The program cannot run here: the cycle fails, and the next decision knows why. */
  private refuse(
    session: Session,
    record: CycleRecord,
    { missing, standIn }: { readonly missing: string; readonly standIn?: { readonly version: string } },
  ): Move {
    const attempt = this.startedNow({
      attempt: session.attempt,
      backend: this.deps.backend.name,
      provider: standIn === undefined ? 'phenix' : 'simulated',
      programVersion: 'not installed',
    });
    const ending = this.ending({ kind: 'not_started', infrastructure: false, message: `${missing}.` });
    return this.end(session, record, { attempt, ending, startIsUnreported: false });
  }

  private end(session: Session, record: CycleRecord, ended: EndedAttempt): Move {
    const { limits, retries, clock } = this.deps;
    const wantedMiB = limits.ofProgram(record.decision.program)?.memoryMiB;
    const policy = {
      ...retries,
      largerMemory: (after: CycleRecord) => largerMemory(limits.memory, wantedMiB, after),
      at: isoTime(clock),
    };
    return this.leave(locationOfAttempt(session, record).name, toEnded(session, record, ended, policy), () => {
      if (ended.startIsUnreported && ended.ending.durationMs > 0) this.deps.meter.started(ended.attempt);
      this.deps.meter.ended(session, record, { ...ended.attempt, ending: ended.ending });
    });
  }

  /** The record first, then its slot: the pruner finds a slot that a crash in between leaves behind. */
  private leave(name: string, move: Move, measure: () => void = () => undefined): Move {
    const afterwards = (): Promise<void> => {
      measure();
      return this.deps.gate.released(name);
    };
    return { ...move, afterwards };
  }

  private startedNow(launched: Launched): AttemptRecord {
    return { ...launched, startedAt: isoTime(this.deps.clock) };
  }

  private ending(what: Pick<AttemptEnding, 'kind' | 'infrastructure' | 'message'>): AttemptEnding {
    return { ...what, endedAt: isoTime(this.deps.clock), durationMs: 0 };
  }
}
