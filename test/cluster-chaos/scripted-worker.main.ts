import { ConfigModule, HealthConfig, LogConfig, RedisConfig, StepConfig, SweeperConfig } from '@fleet/config';
import { Queues, type CycleRecord, type Session, type StepPayload, type StepResult } from '@fleet/contracts';
import { runWorker } from '@fleet/observability';
import { SESSION_STORE, type NextPlace, type SessionStore } from '@fleet/ports';
import { HandlesJob, QueueModule, QueueWorkerModule, WakeUps } from '@fleet/queue';
import { SessionStoreModule } from '@fleet/session-store';
import { aDecision, anEvent, aResult } from '@fleet/testing';
import { Inject, Injectable, Module } from '@nestjs/common';

/** Arguments: the queue's name, and the number of cycles of a session. */
const [, , queue = '', cycles = ''] = process.argv;
/** When the sweeper looks after a session without news, in milliseconds. */
const dueInMs = 3_000;

/** A command without files: the sessions have none, and the executor launches nothing that is not theirs. */
const decision = aDecision({ argv: ['phenix.refine'], inputs: [] });

/** Moves sessions out of a stage as its worker would, without looking at any file. */
@Injectable()
class ScriptedStep {
  constructor(
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    @Inject(WakeUps) private readonly wakeUps: WakeUps,
  ) {}

  async take(
    { sessionId, sessionVersion }: StepPayload,
    stage: Session['stage'],
    next: (session: Session) => { readonly to: NextPlace; readonly cycleRecord: CycleRecord },
  ): Promise<StepResult> {
    const session = await this.store.load(sessionId);
    const due = session?.status === 'running' && session.stage === stage && session.version === sessionVersion;
    if (!due) return { outcome: 'stale' };
    const events = [anEvent({ cycle: session.cycle })];
    const moved = await this.store.advance({
      sessionId,
      fromVersion: sessionVersion,
      ...next(session),
      events,
      dueInMs,
    });
    if (!moved.applied) return { outcome: 'stale' };
    await this.wakeUps.wake(moved.head);
    return { outcome: 'advanced' };
  }
}

@HandlesJob(Queues.decisions, 'decide')
class ScriptedDecision {
  constructor(@Inject(ScriptedStep) private readonly step: ScriptedStep) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.step.take(payload, 'deciding', ({ cycle }) => ({
      to: { stage: 'executing', cycle, attempt: 1 },
      cycleRecord: { cycle, decision, attempts: [] },
    }));
  }
}

@HandlesJob(Queues.analyses, 'analyse')
class ScriptedAnalysis {
  constructor(@Inject(ScriptedStep) private readonly step: ScriptedStep) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.step.take(payload, 'analysing', ({ cycle, cycles: records }) => {
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
    ConfigModule.forRoot([RedisConfig, StepConfig, SweeperConfig, HealthConfig, LogConfig]),
    SessionStoreModule.forRoot(),
    QueueModule.forRoot(),
    QueueWorkerModule.forQueue(known),
  ],
  providers: [ScriptedStep, known === Queues.decisions ? ScriptedDecision : ScriptedAnalysis],
})
class ScriptedWorkerModule {}

void runWorker(`scripted-${queue}`, ScriptedWorkerModule);
