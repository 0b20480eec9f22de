import {
  currentCycle,
  isEnded,
  type AttemptRecord,
  type CycleRecord,
  type Session,
  type StepPayload,
  type StepResult,
} from '@fleet/contracts';
import { isoTime, type Clock, type ExecutionBackend, type SessionStore } from '@fleet/ports';
import { toCancelled, withAttempt } from '../execute/attempt-transitions';
import { placeOfAttempt } from '../execute/plan-run';
import type { SessionMover } from '../execute/session-mover';
import type { SessionTurns } from '../execute/session-turns';

export interface CancelDependencies {
  readonly store: SessionStore;
  readonly backend: ExecutionBackend;
  readonly clock: Clock;
  readonly mover: SessionMover;
  readonly turns: SessionTurns;
}

/** Ends what runs of a session that is being cancelled, then the session. A session counts as cancelled only when nothing of it runs. */
export class CancelSession {
  constructor(private readonly deps: CancelDependencies) {}

  run(payload: Pick<StepPayload, 'sessionId' | 'sessionVersion'>): Promise<StepResult> {
    return this.deps.turns.take(payload.sessionId, () => this.step(payload));
  }

  private async step({
    sessionId,
    sessionVersion,
  }: Pick<StepPayload, 'sessionId' | 'sessionVersion'>): Promise<StepResult> {
    const { store, mover, clock } = this.deps;
    const session = await store.load(sessionId);
    if (session !== undefined && isEnded(session.status)) await mover.keep(sessionId);
    if (session?.status !== 'cancelling' || session.version !== sessionVersion) return { outcome: 'stale' };
    const record = session.stage === 'executing' ? currentCycle(session) : undefined;
    const closed = record === undefined ? undefined : await this.endProgram(session, record);
    return mover.move(toCancelled(session, closed, isoTime(clock)));
  }

  /** Also where no program was seen yet: a start that is under way in another process must find itself cancelled. */
  private async endProgram(session: Session, record: CycleRecord): Promise<CycleRecord | undefined> {
    const place = placeOfAttempt(session, record);
    await this.deps.backend.cancel(place);
    const known = record.attempts.find(({ attempt }) => attempt === session.attempt);
    const state = await this.deps.backend.find(place);
    if (known === undefined || state?.state !== 'ended') return undefined;
    const ended: AttemptRecord = { ...known, ending: state.ending };
    return withAttempt(record, ended);
  }
}
