import {
  ConfigModule,
  DatabaseConfig,
  HealthConfig,
  LogConfig,
  RedisConfig,
  StepConfig,
  SweeperConfig,
} from '@fleet/config';
import { Queues, type StepPayload, type StepResult } from '@fleet/contracts/queues';
import type { Step } from '@fleet/contracts/runs';
import type { Session } from '@fleet/contracts/sessions';
import { runWorker } from '@fleet/observability';
import { SESSION_RECORDS, STEP_SCHEDULE, systemClock, type SessionRecords, type StepSchedule } from '@fleet/ports';
import { HandlesJob, QueueModule, QueueWorkerModule, WakeUps } from '@fleet/queue';
import { RedisModule } from '@fleet/redis';
import { runStep, type Move, type StepPorts } from '@fleet/steps';
import { StoreModule } from '@fleet/store';
import { aDecision, anEvent, aResult } from '@fleet/testing';
import { Inject, Injectable, Logger, Module } from '@nestjs/common';

/** Arguments: the queue's name, and the number of cycles of a session. */
const [, , queue = '', cycles = ''] = process.argv;
/** When the sweeper looks after a session without news, in milliseconds. */
const dueInMs = 3_000;

/** A command without files: the sessions have none, and the executor launches nothing that is not theirs. */
const decision = aDecision({ argv: ['phenix.refine'], inputs: [] });

/** Moves sessions out of a stage as its worker would, without looking at any file. */
@Injectable()
class ScriptedSteps {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(STEP_SCHEDULE) private readonly schedule: StepSchedule,
    @Inject(WakeUps) private readonly wakeUps: WakeUps,
  ) {}

  take(
    payload: StepPayload,
    job: Step['job'],
    next: (session: Session) => Pick<Move, 'to' | 'cycleRecord'>,
  ): Promise<StepResult> {
    const { records, schedule, wakeUps } = this;
    const ports: StepPorts = {
      records,
      schedule,
      waker: wakeUps,
      clock: systemClock,
      log: new Logger('Steps'),
    };
    const work = (session: Session): Promise<Move> =>
      Promise.resolve({ ...next(session), events: [anEvent({ cycle: session.cycle })], dueInMs });
    return runStep(ports, { job, work }, payload);
  }
}

@HandlesJob(Queues.decisions, 'decide')
class ScriptedDecision {
  constructor(@Inject(ScriptedSteps) private readonly steps: ScriptedSteps) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.steps.take(payload, 'decide', ({ cycle }) => ({
      to: { stage: 'executing', cycle, attempt: 1 },
      cycleRecord: { cycle, decision, attempts: [] },
    }));
  }
}

@HandlesJob(Queues.analyses, 'analyse')
class ScriptedAnalysis {
  constructor(@Inject(ScriptedSteps) private readonly steps: ScriptedSteps) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.steps.take(payload, 'analyse', ({ cycle, cycles: records }) => {
      const record = records.find((known) => known.cycle === cycle);
      if (record === undefined) throw new Error(`cycle ${String(cycle)} is analysed without a record`);
      const last = cycle >= Number(cycles);
      return {
        to: last
          ? { ended: { reason: 'nothing_left', detail: 'all cycles done', afterCycle: cycle } }
          : { stage: 'deciding', cycle: cycle + 1, attempt: 1 },
        cycleRecord: { ...record, result: aResult() },
      };
    });
  }
}

const known = Object.values(Queues).find((name) => name === queue);
if (known === undefined || known === Queues.executions) throw new Error(`${queue} is neither decisions nor analyses`);

@Module({
  imports: [
    ConfigModule.forRoot([DatabaseConfig, RedisConfig, StepConfig, SweeperConfig, HealthConfig, LogConfig]),
    StoreModule.forRoot(),
    RedisModule.forRoot(),
    QueueModule.forRoot(),
    QueueWorkerModule.forQueue(known),
  ],
  providers: [ScriptedSteps, known === Queues.decisions ? ScriptedDecision : ScriptedAnalysis],
})
class ScriptedWorkerModule {}

void runWorker(`scripted-${queue}`, ScriptedWorkerModule);
