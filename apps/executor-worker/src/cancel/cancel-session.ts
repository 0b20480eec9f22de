import { isFault } from '@fleet/contracts/faults';
import { currentCycle, type AttemptRecord, type CycleRecord, type Session } from '@fleet/contracts/sessions';
import { isoTime, type Clock, type ExecutionBackend, type SessionEvents } from '@fleet/ports';
import { slowCancelMs, type Move, type SessionStep } from '@fleet/steps';
import { toCancelled, toSlowCancel, withAttempt, withoutWait } from '../execute/attempt-transitions';
import type { LaunchGate } from '../execute/launch-gate';
import { locationOfAttempt } from '../execute/plan-run';

export interface CancelDependencies {
  readonly events: Pick<SessionEvents, 'transitions'>;
  readonly backend: ExecutionBackend;
  /** Called when nothing of a run is left. */
  readonly gate: Pick<LaunchGate, 'released'>;
  readonly clock: Clock;
  /** For the administrator, at the log level of errors. */
  readonly alarm: (message: string) => void;
}

/**
 * The step of a session that is being cancelled: ends the program, then the session. A session counts as cancelled only
 * when the backend reports that nothing of it runs. Until then it stays `cancelling`, and queue and sweeper retry.
 */
export class CancelSession implements SessionStep {
  readonly job = 'cancel';

  constructor(private readonly deps: CancelDependencies) {}

  async work(session: Session): Promise<Move> {
    const record = session.stage === 'executing' ? currentCycle(session) : undefined;
    if (record === undefined) return toCancelled(session, undefined, isoTime(this.deps.clock));
    try {
      return await this.endAttempt(session, record);
    } catch (error) {
      if (!isFault(error) || error.kind !== 'transient' || !(await this.isNewlySlow(session))) throw error;
      return this.tellSlow(session, `${error.message.replace(/\.$/, '')}.`);
    }
  }

  private async endAttempt(session: Session, record: CycleRecord): Promise<Move> {
    const { gate, clock } = this.deps;
    const closed = await this.endProgram(session, record);
    const afterwards = (): Promise<void> => gate.released(locationOfAttempt(session, record).name);
    return { ...toCancelled(session, closed, isoTime(clock)), afterwards };
  }

  private tellSlow(session: Session, why: string): Move {
    const { clock, alarm } = this.deps;
    return {
      ...toSlowCancel(session, why, isoTime(clock)),
      afterwards: () => {
        alarm(`the program of ${session.id} does not stop after it was cancelled: ${why}`);
        return Promise.resolve();
      },
    };
  }

  /** Also if no program was seen yet: a start in progress in another process must find the run cancelled. */
  private async endProgram(session: Session, record: CycleRecord): Promise<CycleRecord | undefined> {
    const run = locationOfAttempt(session, record);
    await this.deps.backend.cancel(run);
    const known = record.attempts.find(({ attempt }) => attempt === session.attempt);
    const state = await this.deps.backend.find(run);
    if (known !== undefined && state?.state === 'ended') {
      const ended: AttemptRecord = { ...known, ending: state.ending };
      return withAttempt(record, ended);
    }
    return record.waiting === undefined ? undefined : withoutWait(record);
  }

  /**
   * Whether the cancel was requested too long ago without a message to the user. The record shows it: its last move is
   * that request, at `updatedAt`; the message is another move.
   */
  private async isNewlySlow(session: Session): Promise<boolean> {
    const { events, clock } = this.deps;
    if (clock.now() - Date.parse(session.updatedAt) < slowCancelMs) return false;
    return (await events.transitions(session.id)).at(-1)?.endsWith('->cancelling') === true;
  }
}
