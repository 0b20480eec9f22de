import {
  currentCycle,
  isEnded,
  isFault,
  type AttemptRecord,
  type CycleRecord,
  type Session,
  type StepPayload,
  type StepResult,
} from '@fleet/contracts';
import { isoTime, type Clock, type ExecutionBackend, type RunSlots, type SessionStore } from '@fleet/ports';
import { toCancelled, toSlowCancel, withAttempt, withoutWait } from '../execute/attempt-transitions';
import { placeOfAttempt } from '../execute/plan-run';
import type { SessionMover } from '../execute/session-mover';
import type { SessionTurns } from '../execute/session-turns';

/** A cancel that takes longer than this is told to the user and to the administrator, once, in milliseconds. */
const slowMs = 60_000;

export interface CancelDependencies {
  readonly store: SessionStore;
  readonly backend: ExecutionBackend;
  readonly slots: RunSlots;
  readonly clock: Clock;
  readonly mover: SessionMover;
  readonly turns: SessionTurns;
  /** For the administrator, at the level of errors. */
  readonly alarm: (message: string) => void;
}

/**
 * Ends what runs of a session that is being cancelled, then the session. A session counts as cancelled only when nothing of it runs:
 * until the backend says so it stays `cancelling`, and queue and sweeper try again.
 */
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
    if (record === undefined) return mover.move(toCancelled(session, undefined, isoTime(clock)));
    return this.endAttempt(session, record);
  }

  private async endAttempt(session: Session, record: CycleRecord): Promise<StepResult> {
    const { mover, slots, clock } = this.deps;
    try {
      const closed = await this.endProgram(session, record);
      const result = await mover.move(toCancelled(session, closed, isoTime(clock)));
      await slots.release(placeOfAttempt(session, record).name);
      return result;
    } catch (error) {
      if (!isFault(error) || error.kind !== 'transient' || !(await this.isNewlySlow(session))) throw error;
      return this.tellSlow(session, `${error.message.replace(/\.$/, '')}.`);
    }
  }

  private async tellSlow(session: Session, why: string): Promise<StepResult> {
    const { mover, clock, alarm } = this.deps;
    const result = await mover.move(toSlowCancel(session, why, isoTime(clock)));
    if (result.outcome === 'advanced')
      alarm(`the program of ${session.id} does not end although it was cancelled: ${why}`);
    return result;
  }

  /** Also where no program was seen yet: a start that is under way in another process must find itself cancelled. */
  private async endProgram(session: Session, record: CycleRecord): Promise<CycleRecord | undefined> {
    const place = placeOfAttempt(session, record);
    await this.deps.backend.cancel(place);
    const known = record.attempts.find(({ attempt }) => attempt === session.attempt);
    const state = await this.deps.backend.find(place);
    if (known !== undefined && state?.state === 'ended') {
      const ended: AttemptRecord = { ...known, ending: state.ending };
      return withAttempt(record, ended);
    }
    return record.waiting === undefined ? undefined : withoutWait(record);
  }

  /**
   * Whether the cancel was asked for too long ago and nobody was told so. The record says it: its last move is the wish to cancel,
   * at `updatedAt`; telling is another move.
   */
  private async isNewlySlow(session: Session): Promise<boolean> {
    const { store, clock } = this.deps;
    if (clock.now() - Date.parse(session.updatedAt) < slowMs) return false;
    return (await store.transitions(session.id)).at(-1)?.endsWith('->cancelling') === true;
  }
}
