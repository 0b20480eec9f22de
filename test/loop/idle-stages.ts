import { Queues, type StepPayload, type StepResult } from '@fleet/contracts/queues';
import type { Step } from '@fleet/contracts/runs';
import type { Session } from '@fleet/contracts/sessions';
import {
  METRICS,
  SESSION_RECORDS,
  STEP_SCHEDULE,
  TRACING,
  systemClock,
  type Metrics,
  type NextPosition,
  type SessionRecords,
  type StepSchedule,
  type Tracing,
} from '@fleet/ports';
import { advisedEnd, advisedMove } from './advised-moves';
import { HandlesJob, WakeUps } from '@fleet/queue';
import { runStep, type Next, type StepPorts } from '@fleet/steps';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';

/** Behavior of the stages, which do no work. */
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
  /** The stages record the advice that they follow, and a session ends on a stop request, not after `cycles`. */
  readonly advised?: true;
}

export const IDLE_WORK = Symbol('IdleWork');

/** Takes steps as the workers do; only the work is nothing, and nothing is kept on the disk. */
@Injectable()
export class IdleSteps {
  @Inject(TRACING) private readonly tracing: Tracing;
  private readonly ports: StepPorts;

  constructor(
    @Inject(SESSION_RECORDS) records: SessionRecords,
    @Inject(STEP_SCHEDULE) schedule: StepSchedule,
    @Inject(WakeUps) wakeUps: WakeUps,
    @Inject(METRICS) metrics: Metrics,
    @Inject(IDLE_WORK) readonly work: IdleWork,
  ) {
    this.ports = {
      records,
      schedule,
      waker: wakeUps,
      clock: systemClock,
      metrics,
      log: new Logger('Steps'),
    };
  }

  take(payload: StepPayload, job: Step['job'], next: (session: Session) => NextPosition): Promise<StepResult> {
    const work = async (session: Session): Promise<Next> => {
      if (job === 'execute' && Math.random() < this.work.stillRunning) return { lookAgainInMs: this.work.dueInMs };
      if (job !== 'cancel') await this.pause();
      const { cycle, updatedAt: at } = session;
      const to = next(session);
      const event = { type: 'debug', cycle, at, message: 'nothing done', data: {} } as const;
      const move = { to, events: [event], dueInMs: this.work.dueInMs };
      return this.work.advised === true ? advisedMove(session, job, move) : move;
    };
    const follows = job === 'decide' || job === 'analyse' ? ({ followsGuidance: true } as const) : {};
    return runStep({ ...this.ports, tracing: this.tracing }, { job, work, ...follows }, payload);
  }

  private async pause(): Promise<void> {
    const { minWorkMs = 0, maxWorkMs } = this.work;
    if (maxWorkMs === 0) return;
    await sleep(minWorkMs + Math.random() * (maxWorkMs - minWorkMs));
  }
}

@HandlesJob(Queues.decisions, 'decide')
class IdleDecide {
  constructor(@Inject(IdleSteps) private readonly steps: IdleSteps) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.steps.take(payload, 'decide', ({ cycle }) => ({ stage: 'executing', cycle, attempt: 1 }));
  }
}

@HandlesJob(Queues.executions, 'execute')
class IdleExecute {
  constructor(@Inject(IdleSteps) private readonly steps: IdleSteps) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.steps.take(payload, 'execute', ({ cycle, attempt }) => ({ stage: 'analysing', cycle, attempt }));
  }
}

@HandlesJob(Queues.executions, 'cancel')
class IdleCancel {
  constructor(@Inject(IdleSteps) private readonly steps: IdleSteps) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.steps.take(payload, 'cancel', ({ cycle }) => ({
      ended: { reason: 'cancelled', detail: 'as asked', afterCycle: cycle },
    }));
  }
}

@HandlesJob(Queues.analyses, 'analyse')
class IdleAnalyse {
  constructor(@Inject(IdleSteps) private readonly steps: IdleSteps) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.steps.take(payload, 'analyse', (session) => {
      const { cycle } = session;
      if (this.steps.work.advised === true)
        return advisedEnd(session) ?? { stage: 'deciding', cycle: cycle + 1, attempt: 1 };
      return cycle >= this.steps.work.cycles
        ? { ended: { reason: 'nothing_left', detail: 'all cycles done', afterCycle: cycle } }
        : { stage: 'deciding', cycle: cycle + 1, attempt: 1 };
    });
  }
}

/** The handlers of each queue. */
export const idleHandlers = {
  [Queues.decisions]: [IdleDecide],
  [Queues.executions]: [IdleExecute, IdleCancel],
  [Queues.analyses]: [IdleAnalyse],
} as const;
