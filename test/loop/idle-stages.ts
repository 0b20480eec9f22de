import {
  Queues,
  type SessionHead,
  type Session,
  type Stage,
  type StepPayload,
  type StepResult,
} from '@fleet/contracts';
import { SESSION_STORE, type NextPlace, type SessionStore } from '@fleet/ports';
import { HandlesJob, WakeUps } from '@fleet/queue';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the stages do instead of work. */
export interface IdleWork {
  /** Cycles of each session. */
  readonly cycles: number;
  /** Shortest and longest work of a step in milliseconds. */
  readonly minWorkMs?: number;
  readonly maxWorkMs: number;
  /** How often a program "still runs" when the executor looks, 0 to 1. */
  readonly stillRunning: number;
  /** When the sweeper looks after a session without news. */
  readonly dueInMs: number;
}

export const IDLE_WORK = Symbol('IdleWork');

/** The skeleton of every step: read, check, work, move and leave the next step in one write, wake. */
@Injectable()
export class IdleStep {
  constructor(
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    @Inject(WakeUps) private readonly wakeUps: WakeUps,
    @Inject(IDLE_WORK) readonly work: IdleWork,
  ) {}

  async take(payload: StepPayload, stage: Stage, next: (session: Session) => NextPlace): Promise<StepResult> {
    const session = await this.store.load(payload.sessionId);
    if (session?.status !== 'running' || session.stage !== stage || session.version !== payload.sessionVersion)
      return { outcome: 'stale' };
    await this.pause();
    return this.move(session, next(session));
  }

  async move(head: SessionHead, to: NextPlace): Promise<StepResult> {
    const { id, version, cycle } = head;
    const moved = await this.store.advance({
      sessionId: id,
      fromVersion: version,
      to,
      events: [{ type: 'debug', cycle, at: head.updatedAt, message: 'nothing done', data: {} }],
      dueInMs: this.work.dueInMs,
    });
    if (!moved.applied) return { outcome: 'stale' };
    await this.wakeUps.wake(moved.head);
    return { outcome: 'advanced' };
  }

  stillRuns(): boolean {
    return Math.random() < this.work.stillRunning;
  }

  private async pause(): Promise<void> {
    const { minWorkMs = 0, maxWorkMs } = this.work;
    if (maxWorkMs === 0) return;
    await sleep(minWorkMs + Math.random() * (maxWorkMs - minWorkMs));
  }
}

@HandlesJob(Queues.decisions, 'decide')
class IdleDecide {
  constructor(@Inject(IdleStep) private readonly step: IdleStep) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.step.take(payload, 'deciding', ({ cycle }) => ({ stage: 'executing', cycle, attempt: 1 }));
  }
}

@HandlesJob(Queues.executions, 'execute')
class IdleExecute {
  constructor(@Inject(IdleStep) private readonly step: IdleStep) {}

  handle(payload: StepPayload): Promise<StepResult> {
    if (this.step.stillRuns()) return Promise.resolve({ outcome: 'waiting' });
    return this.step.take(payload, 'executing', ({ cycle, attempt }) => ({ stage: 'analysing', cycle, attempt }));
  }
}

@HandlesJob(Queues.executions, 'cancel')
class IdleCancel {
  constructor(
    @Inject(IdleStep) private readonly step: IdleStep,
    @Inject(SESSION_STORE) private readonly store: SessionStore,
  ) {}

  async handle(payload: StepPayload): Promise<StepResult> {
    const head = await this.store.loadHead(payload.sessionId);
    if (head?.status !== 'cancelling' || head.version !== payload.sessionVersion) return { outcome: 'stale' };
    return this.step.move(head, { ended: { reason: 'cancelled', detail: 'as asked', afterCycle: head.cycle } });
  }
}

@HandlesJob(Queues.analyses, 'analyse')
class IdleAnalyse {
  constructor(@Inject(IdleStep) private readonly step: IdleStep) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.step.take(payload, 'analysing', ({ cycle }) =>
      cycle >= this.step.work.cycles
        ? { ended: { reason: 'nothing_left', detail: 'all cycles done', afterCycle: cycle } }
        : { stage: 'deciding', cycle: cycle + 1, attempt: 1 },
    );
  }
}

/** The handlers of each queue. */
export const idleHandlers = {
  [Queues.decisions]: [IdleDecide],
  [Queues.executions]: [IdleExecute, IdleCancel],
  [Queues.analyses]: [IdleAnalyse],
} as const;
