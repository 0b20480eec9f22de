import {
  Fault,
  isEnded,
  statusOfStopReason,
  type BackendName,
  type ProgramCatalogue,
  type Session,
  type SessionEvent,
  type SessionHead,
  type SessionStop,
  type StepPayload,
  type StepResult,
} from '@fleet/contracts';
import type { DecisionGraph, DecisionOutcome } from '@fleet/decision-graph';
import { isoTime, type Clock, type SessionStore, type Transition } from '@fleet/ports';
import type { SessionKeeper } from '@fleet/recovery';
import { shownPath } from '@fleet/untrusted-files';

/** When the sweeper looks after a session whose next step was just made due, in milliseconds. */
const stepDueMs = 30_000;

export interface DecideDependencies {
  readonly store: SessionStore;
  readonly keeper: Pick<SessionKeeper, 'keep'>;
  readonly clock: Clock;
  readonly graph: DecisionGraph;
  /** The backend whose programs may be chosen. */
  readonly backend: BackendName;
  /** Paths of the session's files that are gone from the disk. */
  readonly missing: (session: Session) => Promise<ReadonlySet<string>>;
  /** Paths of the session's files that are not what they were when they were accepted, with how they differ. */
  readonly changed: (session: Session) => Promise<ReadonlyMap<string, string>>;
  readonly wake: (head: SessionHead) => Promise<void>;
}

const endedEvent = (session: Session, stop: SessionStop, at: string): SessionEvent => ({
  type: 'session_ended',
  cycle: session.cycle,
  at,
  message: stop.detail,
  data: { status: statusOfStopReason[stop.reason], reason: stop.reason },
});

const missingEvent = (session: Session, missing: ReadonlySet<string>, at: string): SessionEvent => ({
  type: 'warning',
  cycle: session.cycle,
  at,
  message: `Gone from the disk and left out: ${[...missing].join(', ')}`,
  data: { missing: [...missing] },
});

const changedEvent = (session: Session, changed: ReadonlyMap<string, string>, at: string): SessionEvent => {
  const told = [...changed].map(([path, change]) => `${shownPath(path)}: ${change}`);
  return {
    type: 'warning',
    cycle: session.cycle,
    at,
    message: `Left out, for a session works with the files that it was given: ${told.join('; ')}. To use them as they are now, submit them in a new session.`,
    data: { changed: [...changed.keys()] },
  };
};

/** Where the outcome of a decision takes the session. */
const transitionOf = (
  session: Session,
  outcome: DecisionOutcome,
  more: readonly SessionEvent[],
  at: string,
): Transition => {
  const base = { sessionId: session.id, fromVersion: session.version, dueInMs: stepDueMs };
  const events = [...outcome.events, ...more];
  if ('stop' in outcome)
    return { ...base, to: { ended: outcome.stop }, events: [...events, endedEvent(session, outcome.stop, at)] };
  return {
    ...base,
    to: { stage: 'executing', cycle: session.cycle, attempt: 1 },
    cycleRecord: { cycle: session.cycle, decision: { ...outcome.decision, decidedAt: at }, attempts: [] },
    events,
  };
};

/** The step of stage `deciding`: chooses the next program from the record alone, or ends the session. */
export class DecideNextStep {
  constructor(private readonly deps: DecideDependencies) {}

  /**
   * Repeating it changes nothing: the move is fenced by the version that the step was made for.
   * @throws Fault `programs.not_published` (transient) while no executor has said what is installed
   */
  async run({ sessionId, sessionVersion }: Pick<StepPayload, 'sessionId' | 'sessionVersion'>): Promise<StepResult> {
    const { store, graph, clock } = this.deps;
    const session = await store.load(sessionId);
    // A retried step may find that the record ended but its files were not written.
    if (session !== undefined && isEnded(session.status)) await this.deps.keeper.keep(sessionId);
    const due = session?.status === 'running' && session.stage === 'deciding' && session.version === sessionVersion;
    if (!due) return { outcome: 'stale' };
    // From its first step on a session can be rebuilt from its folder; later files are written after each analysis.
    if (session.cycles.length === 0) await this.deps.keeper.keep(sessionId);
    const catalogue = await this.installedPrograms();
    const at = isoTime(clock);
    const missing = await this.deps.missing(session);
    const changed = await this.deps.changed(session);
    const leftOut = new Set([...missing, ...changed.keys()]);
    const outcome = await graph.decide({ session, catalogue, missing: leftOut, now: at });
    const told = [
      ...(missing.size === 0 ? [] : [missingEvent(session, missing, at)]),
      ...(changed.size === 0 ? [] : [changedEvent(session, changed, at)]),
    ];
    return this.move(transitionOf(session, outcome, told, at));
  }

  private async installedPrograms(): Promise<ProgramCatalogue> {
    const catalogue = await this.deps.store.programs(this.deps.backend);
    if (catalogue !== undefined) return catalogue;
    throw new Fault(
      'programs.not_published',
      'transient',
      `no executor of the backend "${this.deps.backend}" has said yet which programs it has`,
    );
  }

  private async move(transition: Transition): Promise<StepResult> {
    const { store, keeper, wake } = this.deps;
    const result = await store.advance(transition);
    if (!result.applied) return { outcome: 'stale' };
    if (isEnded(result.head.status)) await keeper.keep(result.head.id);
    else await wake(result.head);
    return { outcome: 'advanced' };
  }
}
