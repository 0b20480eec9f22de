import { isFault } from '@fleet/contracts/faults';
import type { Guidance } from '@fleet/contracts/guidance';
import type { BackendName, ProgramCatalogue } from '@fleet/contracts/service';
import type { DecisionRecord, Session, SessionEvent } from '@fleet/contracts/sessions';
import type { DecisionGraph, DecisionOutcome } from '@fleet/decision-graph';
import { isoTime, type Clock, type ProgramCatalogues } from '@fleet/ports';
import { adviceReadEvent } from '@fleet/session-report';
import { endSession, installedPrograms, modelDueMs, type Move, type Next, type SessionStep } from '@fleet/steps';
import { shownPath } from '@fleet/untrusted-files';

export interface DecideDependencies {
  readonly catalogues: Pick<ProgramCatalogues, 'of'>;
  readonly clock: Clock;
  readonly graph: DecisionGraph;
  /**
   * The guidance with a model's reading; undefined if no model must read it. Absent: the site has no model that reads
   * advice.
   */
  readonly readAdvice?: (session: Session) => Promise<Guidance | undefined>;
  /** The backend whose programs can be chosen. */
  readonly backend: BackendName;
  /** Paths of the session's files that are missing from the disk. */
  readonly missing: (session: Session) => Promise<ReadonlySet<string>>;
  /** Paths of the session's files that differ from the accepted ones, with the difference. */
  readonly changed: (session: Session) => Promise<ReadonlyMap<string, string>>;
}

const missingEvent = (session: Session, missing: ReadonlySet<string>, at: string): SessionEvent => ({
  type: 'warning',
  cycle: session.cycle,
  at,
  message: `Left out because they are no longer on the disk: ${[...missing].join(', ')}`,
  data: { missing: [...missing] },
});

const changedEvent = (session: Session, changed: ReadonlyMap<string, string>, at: string): SessionEvent => {
  const changes = [...changed].map(([path, change]) => `${shownPath(path)}: ${change}`);
  return {
    type: 'warning',
    cycle: session.cycle,
    at,
    message: `Left out because a session uses its files as they were submitted: ${changes.join('; ')}. To use them as they are now, submit them in a new session.`,
    data: { changed: [...changed.keys()] },
  };
};

/** The decision as stored, with the revision of the guidance that it followed. */
const decisionOf = (
  { guidance }: Session,
  decision: Omit<DecisionRecord, 'decidedAt'>,
  decidedAt: string,
): DecisionRecord => ({ ...decision, decidedAt, ...(guidance !== undefined && { guidance: guidance.revision }) });

/** The session's move after a decision. */
const moveOf = (session: Session, outcome: DecisionOutcome, more: readonly SessionEvent[], at: string): Move => {
  const events = [...outcome.events, ...more];
  if ('stop' in outcome) return endSession(session, outcome.stop, at, events);
  return {
    to: { stage: 'executing', cycle: session.cycle, attempt: 1 },
    cycleRecord: { cycle: session.cycle, decision: decisionOf(session, outcome.decision, at), attempts: [] },
    events,
  };
};

/** No model is available, and the submitter requires one: reported once, and retried. */
const waitOf = ({ cycle, attempt, waiting }: Session, reason: string, at: string): Next => {
  if (waiting !== undefined) return { lookAgainInMs: modelDueMs };
  const message = `The decision waits for a language model: ${reason}`;
  return {
    to: { stage: 'deciding', cycle, attempt },
    waiting: { since: at, reason },
    events: [{ type: 'warning', cycle, at, message, data: { waits_for: 'model' } }],
    dueInMs: modelDueMs,
    wakeNow: false,
    outcome: 'waiting',
  };
};

/** The same position with the reading; the next step decides by it. */
const readingMove = ({ cycle, attempt }: Session, reading: Guidance, at: string): Move => ({
  to: { stage: 'deciding', cycle, attempt },
  reading,
  events: [adviceReadEvent(reading, cycle, at)],
});

/**
 * The step of stage `deciding`: lets models read unread advice; otherwise chooses the next program from the record
 * only, or ends the session.
 */
export class DecideNextStep implements SessionStep {
  readonly job = 'decide';
  readonly followsGuidance = true;

  constructor(private readonly deps: DecideDependencies) {}

  /** @throws Fault `programs.not_published` (transient) until an executor has published the installed programs */
  async work(session: Session): Promise<Next> {
    const { catalogues, clock, backend } = this.deps;
    const at = isoTime(clock);
    try {
      const reading = await this.deps.readAdvice?.(session);
      if (reading !== undefined) return readingMove(session, reading, isoTime(clock));
      return await this.decide(session, await installedPrograms(catalogues, backend), isoTime(clock));
    } catch (error) {
      if (!isFault(error) || error.code !== 'decision.waits_for_model') throw error;
      return waitOf(session, error.message, at);
    }
  }

  private async decide(session: Session, catalogue: ProgramCatalogue, at: string): Promise<Move> {
    const { graph } = this.deps;
    const missing = await this.deps.missing(session);
    const changed = await this.deps.changed(session);
    const leftOut = new Set([...missing, ...changed.keys()]);
    const outcome = await graph.decide({ session, catalogue, missing: leftOut, now: at });
    const notices = [
      ...(missing.size === 0 ? [] : [missingEvent(session, missing, at)]),
      ...(changed.size === 0 ? [] : [changedEvent(session, changed, at)]),
    ];
    return moveOf(session, outcome, notices, at);
  }
}
